/** The least that any Worker does with a JSON request: parse it and respond. */
export default {
  async fetch(request: Request): Promise<Response> {
    const body = await request.json();
    return Response.json({ ok: body !== null });
  },
};
