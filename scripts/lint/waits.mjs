/**
 * A lint rule: whoever waits for the answer of a service says for how long. Needs no types, and stands alone: copy this file and
 * `docs/lint-rules.md` says how to set it up.
 *
 * A call at a door (`ledger.read(…)`) is fine where it stands in an argument of a function that bounds it (`withinDeadline(clock, ms,
 * ledger.read(…))`), or in a function of the same file that is used in such places only, or where nobody waits (`void listen()`).
 * Not followed: doors under other names, promises that are kept in a field, functions that are used in another file.
 */

const DEFAULTS = { doors: [], methods: [], timed: [], bounds: ["withinDeadline"] };

export const noUnboundedWait = {
  meta: {
    type: "problem",
    schema: [
      {
        type: "object",
        properties: {
          // Names of what a call leaves the process by: `ledger`, for `ledger.read()` and `this.#ports.ledger.read()`.
          doors: { type: "array", items: { type: "string" } },
          // Names of methods that wait, whatever they are called on.
          methods: { type: "array", items: { type: "string" } },
          // Methods of doors that take their limit as an argument.
          timed: { type: "array", items: { type: "string" } },
          // Functions that wait no longer than they are told for what stands in their arguments.
          bounds: { type: "array", items: { type: "string" } },
        },
        additionalProperties: false,
      },
    ],
  },
  create(context) {
    const { doors, methods, timed, bounds } = { ...DEFAULTS, ...context.options[0] };
    const calls = [];
    const privates = [];
    return {
      CallExpression(node) {
        const { callee } = node;
        if (callee.type !== "MemberExpression") return;
        const method = nameOf(callee);
        const isDoor = doors.includes(nameOf(callee.object)) && !timed.includes(method) && !isAnswer(context.sourceCode, callee.object);
        if (isDoor || methods.includes(method)) calls.push(node);
      },
      PrivateIdentifier: (node) => void privates.push(node),
      "Program:exit"() {
        const judge = judgeOf(context.sourceCode, privates, bounds);
        for (const node of calls) {
          if (judge(node)) continue;
          const called = context.sourceCode.getText(node.callee).replaceAll(/\s+/g, "");
          context.report({ node, message: `\`${called}()\` waits without a deadline: an answer that never comes is waited for for ever. Put it into ${bounds.map((name) => `\`${name}\``).join(" or ")}.` });
        }
      },
    };
  },
};

/** `sessions` behind `const sessions = await …` is what a door answered, and no door. */
function isAnswer(sourceCode, node) {
  if (node.type !== "Identifier") return false;
  return variableOf(sourceCode, node)?.defs.some(({ node: declared }) => declared.type === "VariableDeclarator" && declared.init?.type === "AwaitExpression") === true;
}

function variableOf(sourceCode, named) {
  for (let scope = sourceCode.getScope(named); scope !== null; scope = scope.upper) {
    const variable = scope.set.get(named.name);
    if (variable !== undefined) return variable;
  }
  return undefined;
}

/** `ledger` of `ledger`, `ports.ledger`, `this.#ports.ledger`; `#untilDeadline` of `this.#untilDeadline`. */
function nameOf(node) {
  if (node === undefined || node === null) return "";
  if (node.type === "MemberExpression") return node.computed ? "" : nameOf(node.property);
  if (node.type === "PrivateIdentifier") return `#${node.name}`;
  return node.type === "Identifier" ? node.name : "";
}

const FUNCTIONS = ["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"];
/** What hands a promise on as it is. */
const THROUGH = ["TSAsExpression", "TSNonNullExpression", "ParenthesizedExpression", "ChainExpression", "ConditionalExpression", "LogicalExpression", "ArrayExpression", "SequenceExpression"];

/** Answers whether nobody waits for `node` without a limit. A name that leads in a circle is taken for bounded until somebody outside of it waits. */
function judgeOf(sourceCode, privates, bounds) {
  const asked = new Set();
  return isBounded;

  function isBounded(node) {
    for (let at = node; at.parent !== null && at.parent !== undefined; at = at.parent) {
      const { parent } = at;
      if (parent.type === "CallExpression" && parent.arguments.includes(at) && bounds.includes(nameOf(parent.callee))) return true;
      if (parent.type === "UnaryExpression" && parent.operator === "void") return true;
      if (parent.type === "ExpressionStatement" && at === node) return true;
      if (FUNCTIONS.includes(at.type)) {
        const named = nameNodeOf(at);
        // An unnamed function is used where it stands: who calls it is what it is handed to.
        if (named !== undefined) return !isExported(at) && usesAreBounded(named);
      } else if (isPromise(at, node)) {
        const kept = parent.type === "VariableDeclarator" && parent.init === at ? parent.id : parent.type === "AssignmentExpression" && parent.right === at ? parent.left : undefined;
        if (kept?.type === "Identifier") return usesAreBounded(kept);
      }
    }
    return false;
  }

  function usesAreBounded(named) {
    const used = usesOf(named);
    const key = used[0] ?? named;
    if (asked.has(key)) return true;
    asked.add(key);
    const all = used.every((one) => isBounded(reachOf(one)));
    asked.delete(key);
    return all && used.length > 0;
  }

  function usesOf(named) {
    if (named.type === "PrivateIdentifier") return privates.filter((one) => one.name === named.name && one.parent.type === "MemberExpression");
    // A method that others may call is theirs to bound, and nobody sees whether they do.
    if (named.type !== "Identifier" || named.parent.type === "MethodDefinition") return [];
    return variableOf(sourceCode, named)?.references.filter((one) => one.isRead()).map(({ identifier }) => identifier) ?? [];
  }
}

/** Whether what stands at `at` is still the promise of the call, and was not awaited on the way. */
function isPromise(at, call) {
  for (let node = call; node !== at; node = node.parent) {
    const { parent } = node;
    const isChained = (parent.type === "MemberExpression" && parent.object === node) || (parent.type === "CallExpression" && parent.callee === node);
    if (!THROUGH.includes(parent.type) && !isChained && parent.type !== "CallExpression") return false;
  }
  return true;
}

function nameNodeOf(node) {
  if (node.id !== null && node.id !== undefined) return node.id;
  const { parent } = node;
  if (parent.type === "VariableDeclarator" && parent.init === node && parent.id.type === "Identifier") return parent.id;
  return parent.type === "MethodDefinition" || parent.type === "PropertyDefinition" ? parent.key : undefined;
}

function isExported(node) {
  const declaration = node.type === "FunctionDeclaration" ? node : node.parent?.parent;
  return declaration?.parent?.type === "ExportNamedDeclaration" || declaration?.parent?.type === "ExportDefaultDeclaration";
}

/** The whole of `this.#x`, and of the call of it: what is waited for. */
function reachOf(node) {
  const whole = node.parent.type === "MemberExpression" && node.parent.property === node ? node.parent : node;
  return whole.parent.type === "CallExpression" && whole.parent.callee === whole ? whole.parent : whole;
}
