/** Does the least that any Worker does with a JSON request: parses it, and answers. */
export default {
  async fetch(request: Request): Promise<Response> {
    const body = await request.json();
    return Response.json({ ok: body !== null });
  },
};
