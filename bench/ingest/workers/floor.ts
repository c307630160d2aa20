/** The least that any service on Workers does with a JSON request: it parses it, and answers. */
export default {
  async fetch(request: Request): Promise<Response> {
    const body = await request.json();
    return Response.json({ ok: body !== null });
  },
};
