/** Calls one workspace's Durable Object as an edge does, from the other side of its binding. */
export { WriteLimiter } from "../../src/limiter/write-limiter.ts";

const IN_FLIGHT = 64;

/** Consumes one message at a time until the deadline. Responds with the numbers of admitted and refused calls. */
async function run(env: Env, name: string, deadline: number) {
  const limiter = env.WRITE_LIMITER.getByName(name);
  const counts = { admitted: 0, refused: 0 };
  const caller = async () => {
    while (Date.now() < deadline) {
      const { outcome } = await limiter.consume({ keyId: "key_bench", cost: 1 });
      counts[outcome === "admitted" ? "admitted" : "refused"] += 1;
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, caller));
  return counts;
}

export default {
  async fetch(request, env) {
    const url = new URL(request.url);
    const name = url.searchParams.get("name") ?? "";
    const limit = url.searchParams.get("limit");
    if (limit !== null)
      return Response.json(await env.WRITE_LIMITER.getByName(name).configure({ limit: Number(limit) }));
    return Response.json(await run(env, name, Date.now() + Number(url.searchParams.get("ms"))));
  },
} satisfies ExportedHandler<Env>;
