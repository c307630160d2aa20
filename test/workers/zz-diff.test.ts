import { exports, env } from "cloudflare:workers";
import { it } from "vitest";
const O = "https://ingest.test";
const A = { Authorization: `Bearer ${(env as any).ADMIN_TOKEN}`, "Content-Type": "application/json" };
const out: string[] = [];
const mask = (t: string) =>
  t
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "UUID")
    .replace(/(acc|usr|ws|key|itm)_[0-9a-f]{24}/g, "$1_X")
    .replace(/bik_\w+/g, "bik_X")
    .replace(/"(createdAt|receivedAt|occurredAt|asOf)":"[^"]*"/g, '"$1":"T"')
    .replace(/t=\d+/g, "t=N");
async function call(label: string, method: string, path: string, headers: Record<string, string> = {}, body?: any) {
  let r: Response;
  try {
    r = await (exports as any).default.fetch(
      new Request(O + path, { method, headers, redirect: "manual", ...(body === undefined ? {} : { body }) }),
    );
  } catch (e) {
    out.push(`${label} | THROW ${e}`);
    return "";
  }
  const text = await r.text();
  const h = [...r.headers]
    .map(([k, v]) => `${k}: ${mask(v)}`)
    .filter((x) => !/^content-security|^content-length/.test(x))
    .join("; ");
  const j = path.startsWith("/console") || path === "/openapi.json" ? text.length > 0 : mask(text);
  out.push(`${label} ${method} ${path} | ${r.status} | ${h} | ${j}`);
  return text;
}
it("x", async () => {
  const c = JSON.parse(
    await call("new", "POST", "/admin/workspaces", A, JSON.stringify({ name: "W", writeLimit: 1000 })),
  );
  const K = { Authorization: `Bearer ${c.key.key}` },
    J = { ...K, "Content-Type": "application/json" };
  const ws = c.workspace.id;
  const ik = JSON.parse(
    await call("key", "POST", `/admin/workspaces/${ws}/keys`, A, JSON.stringify({ scopes: ["read"] })),
  );
  const R = { Authorization: `Bearer ${ik.key.key}` };
  await call(
    "dup",
    "POST",
    "/api/v1/events",
    J,
    JSON.stringify({ accountId: "a", userId: "u", event: "x.y", properties: { email: "a@b.c", n: 1 } }),
  );
  const paths = [
    "/api/v1/events",
    "/api/events",
    "/api/v1/cdp",
    "/api/cdp",
    "/v1/batch",
    "/v1/t",
    "/v1/page",
    "/api/v1/identity",
    "/api/identity",
    "/api/v1/users/u",
    "/api/v1/users/erase2",
    "/api/v1/ask",
    "/api/ask",
    "/api/v1/rejected",
    "/api/v1/accounts",
    "/api/v1/accounts/a",
    "/api/v1/inbox",
    "/api/v1/inbox/itm_1/dismiss",
    "/api/v1/inbox/itm_1/snooze",
    "/healthz",
    "/readyz",
    "/openapi.json",
    "/console",
    "/console/",
    "/console/sign-in",
    "/console/x",
    "/console/workspaces",
    "/admin/workspaces",
    "/admin/workspaces/x",
    "/admin/workspaces/x/keys",
    "/admin/workspaces/x/keys/k",
    "/admin/workspaces/x/dpa",
    "/admin/workspaces/x/rebuild",
    "/admin/recompute",
    "/admin/x",
    "/nothing",
    "/",
    "/v1/batch/",
    "/api/v1/events/",
    "/console/assets/console.css",
    "/console/assets/nope",
  ];
  for (const p of paths)
    for (const m of ["GET", "HEAD", "OPTIONS", "PUT", "POST", "DELETE", "PATCH"]) {
      if (p === "/admin/recompute" && m === "POST") continue;
      await call("none", m, p, { Origin: "https://evil.example" });
      await call("key", m, p, { ...K, "X-Request-Id": "abc-1_=" });
      if (p.startsWith("/admin")) await call("adm", m, p, A);
    }
  await call("preflight", "OPTIONS", "/api/v1/events", {
    Origin: "https://e.x",
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "authorization,content-type,idempotency-key",
  });
  await call("preflight", "OPTIONS", "/v1/b", {
    Origin: "https://e.x",
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "x",
  });
  for (const id of ["a b", "x".repeat(300), "é", "", "abc.def", "a/b", "A".repeat(128), "A".repeat(200)])
    await call("rid", "GET", "/healthz", {
      "X-Request-Id": encodeURIComponent(id) === id ? id : encodeURIComponent(id),
    });
  await call("rid", "GET", "/nothing", { "X-Request-Id": "ok-id" });
  // bodies
  for (const p of ["/api/v1/events", "/api/events", "/api/v1/cdp", "/v1/track"]) {
    for (const b of [
      "",
      "{",
      "null",
      "1",
      "[]",
      '"x"',
      "{}",
      '{"batch":[]}',
      '{"batch":{}}',
      '{"batch":1}',
      '[1,null,{"json":{"type":"track","event":"A B","userId":"u"}}]',
      "x".repeat(17000),
      "x".repeat(600000),
      '{"accountId":1.5,"userId":{},"event":"BAD"}',
      '{"accountId":"a","userId":"u","event":"ok","foo":1,"accountPlan":"p","jo@a.de":2,"timestamp":"2026-01-01T00:00:00Z"}',
      '{"accountId":"a","userId":"u","event":"ok","timestamp":"x","properties":[1],"accountSeats":-1}',
      JSON.stringify(Array.from({ length: 1001 }, () => ({ type: "track" }))),
      '{"type":"track","event":"x","userId":"u","properties":' + "[".repeat(40) + "]".repeat(40) + "}",
      '{"type":"identify","userId":"u2","traits":{"email":"q@w.ee","name":"N","plan":"x"}}',
      '{"type":"group","userId":"u2","groupId":"g1","traits":{"name":"N","plan":"x","seats":"7"}}',
      '{"type":"page","userId":"u2"}',
      '{"type":"delete","userId":"u2"}',
      '{"type":"alias","userId":"u2"}',
      `{"type":"track","event":"x","userId":"u","writeKey":"${c.key.key}"}`,
    ]) {
      await call("b", "POST", p, K, b);
      if (b.length < 300) await call("bn", "POST", p, {}, b);
    }
    await call("enc", "POST", p, { ...K, "Content-Encoding": "br" }, "{}");
    await call("enc", "POST", p, { ...K, "Content-Encoding": "gzip" }, "{}");
    await call("idk", "POST", p, { ...K, "Idempotency-Key": "" }, '{"accountId":"a","userId":"u","event":"ok"}');
    await call(
      "idk",
      "POST",
      p,
      { ...K, "Idempotency-Key": "x".repeat(256) },
      '{"accountId":"a","userId":"u","event":"ok"}',
    );
    await call("idk", "POST", p, { ...K, "Idempotency-Key": "k1" }, '{"accountId":"a","userId":"u","event":"ok"}');
    await call("idk", "POST", p, { ...K, "Idempotency-Key": "k1" }, '{"accountId":"a2","userId":"u2","event":"ok"}');
    await call(
      "basic",
      "POST",
      p,
      { Authorization: "Basic " + btoa(c.key.key + ":") },
      '{"accountId":"a","userId":"u","event":"ok"}',
    );
    await call(
      "basic",
      "POST",
      p,
      { Authorization: "Basic " + btoa(c.key.key + ":x") },
      '{"accountId":"a","userId":"u","event":"ok"}',
    );
    await call("wk", "POST", p, { "X-Write-Key": c.key.key }, '{"accountId":"a","userId":"u","event":"ok"}');
    await call("scope", "POST", p, R, '{"accountId":"a","userId":"u","event":"ok"}');
  }
  for (const p of ["/api/v1/identity", "/api/identity", "/api/v1/ask", "/api/ask", "/api/v1/inbox/itm_1/snooze"])
    for (const b of [
      "",
      "{",
      "null",
      "{}",
      '{"question":"how many events"}',
      '{"question":"how many events","x":1}',
      '{"userId":"u","traits":{"email":"x@y.zz"}}',
      '{"until":"2020-01-01T00:00:00Z"}',
      '{"until":"2027-01-01"}',
      "x".repeat(20000),
    ]) {
      await call("j", "POST", p, J, b);
      await call("t", "POST", p, { ...K, "Content-Type": "text/plain" }, b);
      if (b === "{}") {
        await call("nct", "POST", p, R, b);
        await call("no", "POST", p, {}, b);
      }
    }
  await call("dpa", "PUT", `/admin/workspaces/${ws}/dpa`, A, '{"acceptedBy":"x","version":"1"}');
  for (const b of [
    "",
    "{",
    "null",
    "{}",
    '{"userId":"u","traits":{"email":"x@y.zz"}}',
    '{"userId":"u","traits":{"email":"nope"}}',
    '{"userId":"nobody","traits":{"email":"x@y.zz"}}',
    '{"accountId":"a","userId":"u","traits":{"company":"C","name":null}}',
    '{"accountId":"a","traits":{"name":"x"}}',
    '{"userId":"u","traits":{"email":"x@y.zz"},"q":1}',
    '{"userId":"u","traits":{}}',
  ])
    await call("id", "POST", "/api/v1/identity", J, b);
  for (const b of [
    "{}",
    '{"name":""}',
    '{"name":"x","writeLimit":0}',
    '{"name":"x","writeLimit":1.5}',
    '{"name":"x","y":1}',
    "[]",
    "{",
  ]) {
    await call("a", "POST", "/admin/workspaces", A, b);
    await call("a", "PATCH", `/admin/workspaces/${ws}`, A, b);
    await call("a", "POST", `/admin/workspaces/${ws}/keys`, A, b);
    await call("a", "PUT", `/admin/workspaces/${ws}/dpa`, A, b);
  }
  for (const q of [
    "limit=1",
    "limit=0",
    "limit=201",
    "limit=1.0",
    "limit=0x10",
    "limit=1e2",
    "limit=+5",
    "limit=%205",
    "limit=",
    "limit=1&limit=2",
    "cursor=",
    "cursor=zzz",
    "x=1",
    "account=acme",
    "Limit=1",
    "sort=mrr",
    "state=watch",
    "status=open",
    "kind=x",
    "limit=-0",
    "limit=01",
    "limit=%D9%A5",
  ])
    for (const p of [
      "/api/v1/events",
      "/api/v1/rejected",
      "/api/v1/accounts",
      "/api/v1/inbox",
      "/api/v1/users/u",
      "/api/v1/accounts/a",
    ])
      await call("q", "GET", p + "?" + q, K);
  for (const q of ["limit=1", "limit=0x10", "x=1"])
    for (const p of ["/admin/workspaces", `/admin/workspaces/${ws}`]) await call("q", "GET", p + "?" + q, A);
  for (const p of [
    "/api/v1/users/%2e",
    "/api/v1/users/%20",
    "/api/v1/users/%ff",
    "/api/v1/users/a%00b",
    "/api/v1/users/" + "x".repeat(300),
    "/api/v1/accounts/%20",
    "/api/v1/accounts/..",
    "/api/v1/users/usr_000000000000000000000000",
  ])
    for (const m of ["GET", "DELETE"]) await call("p", m, p, K);
  for (const b of [
    "{}",
    '{"userId":"."}',
    '{"userId":""}',
    '{"userId":1}',
    '{"userId":1.5}',
    '{"userId":"x","y":1}',
    "null",
    "{",
    "",
    '{"userId":null}',
  ])
    await call("er", "POST", "/api/v1/users/erase", J, b);
  await call("er", "POST", "/api/v1/users/erase", { ...K, "Content-Type": "text/plain" }, '{"userId":"u"}');
  await call("er", "POST", "/api/v1/users/erase", R, '{"userId":"u"}');
  await call("er", "POST", "/api/v1/users/erase", {}, '{"userId":"u"}');
  for (const m of ["GET", "PUT", "DELETE", "OPTIONS", "HEAD"]) await call("er", m, "/api/v1/users/erase", K);
  await call("rej", "GET", "/api/v1/rejected?limit=200", K);
  await call("ev", "GET", "/api/v1/events?limit=200", K);
  for (let i = 0; i < 40; i++) console.log("");
  // chunks
  const all = out.join("\n");
  for (let i = 0; i < all.length; i += 8000) console.log("§§" + all.slice(i, i + 8000) + "§§");
}, 300000);
