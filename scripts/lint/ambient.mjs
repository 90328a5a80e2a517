/**
 * Lint rules of this house that no stock rule covers. Catches the plain spellings; an alias of `Date`
 * passed around under another name is left to the leak traps of the world.
 */

import { noUnboundedWait } from "./waits.mjs";

const AMBIENT_TIME = "reads the ambient clock. Take `clock` from the ports and call `clock.now()`.";

const noAmbientDate = {
  meta: { type: "problem", schema: [] },
  create(context) {
    const isDate = (node) => node?.type === "Identifier" && node.name === "Date";
    return {
      NewExpression(node) {
        if (!isDate(node.callee)) return;
        if (node.arguments.length === 0) {
          context.report({ node, message: `\`new Date()\` without an argument ${AMBIENT_TIME}` });
        }
        if (node.arguments.length > 1) {
          context.report({ node, message: `\`new Date(year, …)\` reads the machine's zone. Use \`new Date(Date.UTC(year, …))\`.` });
        }
      },
      CallExpression(node) {
        if (isDate(node.callee)) context.report({ node, message: `\`Date()\` ${AMBIENT_TIME}` });
      },
      VariableDeclarator(node) {
        if (isDate(node.init) && node.id.type === "ObjectPattern") {
          for (const property of node.id.properties) {
            if (property.key?.name === "now") context.report({ node, message: `\`Date.now\` ${AMBIENT_TIME}` });
          }
        }
      },
    };
  },
};

const LOCALE_METHODS = new Map([
  ...["FullYear", "Month", "Date", "Day", "Hours", "Minutes"].flatMap((part) => [
    [`get${part}`, `use getUTC${part}()`],
    [`set${part}`, `use setUTC${part}()`],
  ]),
  ["getTimezoneOffset", "take the zone as an argument"],
  ["resolvedOptions", "take the zone as an argument"],
  ["localeCompare", "compare with < and >"],
  ["toLocaleString", "format by hand"],
  ["toLocaleDateString", "use toISOString()"],
  ["toLocaleTimeString", "use toISOString()"],
  ["toLocaleLowerCase", "use toLowerCase()"],
  ["toLocaleUpperCase", "use toUpperCase()"],
]);

const noLocale = {
  meta: { type: "problem", schema: [] },
  create(context) {
    return {
      MemberExpression(node) {
        const name = node.property?.type === "Identifier" && !node.computed ? node.property.name : undefined;
        const instead = LOCALE_METHODS.get(name);
        if (instead !== undefined) {
          context.report({ node, message: `\`${name}\` answers by the machine's zone or locale: ${instead}.` });
        }
      },
    };
  },
};

export default {
  meta: { name: "casebook" },
  rules: { "no-ambient-date": noAmbientDate, "no-locale": noLocale, "no-unbounded-wait": noUnboundedWait },
};
