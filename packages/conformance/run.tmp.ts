import { KNOWN_BAD_DISPATCHERS } from "/work/wt/kit-dispatch/packages/dispatcher/src/known-bad/index.ts";
import { runConformance } from "/work/wt/kit-dispatch/packages/conformance/src/node/index.ts";
import { reference } from "/work/wt/kit-dispatch/packages/conformance/src/reference.fixture.ts";
const [, , names = "reference", only = "", share = "0.12"] = process.argv;
for (const name of names.split(",")) {
  const policies = KNOWN_BAD_DISPATCHERS.find((bad) => bad.name === name)?.policies ?? {};
  const t = Date.now();
  const { rules } = await runConformance(reference(policies, name), { share: Number(share), ...(only === "" ? {} : { only: only.split(",") }) });
  console.log(name, Date.now() - t, "ms");
  for (const r of rules) if (!["PASS", "not checked"].includes(r.verdict)) console.log("  ", r.number, r.verdict, r.says ?? r.failures?.map((f) => `${f.check}: ${f.seen} [${f.under}]`).join("\n        "));
  if (process.env.V) for (const r of rules) if (r.verdict === "PASS") console.log("   ", r.number, JSON.stringify(r.played));
}
