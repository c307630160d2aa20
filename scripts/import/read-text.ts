/** Decodes text files, which must be UTF-8. Another encoding would turn different letters, and so different ids, into the same. */

const LINE_FEED = 10;

export const notUtf8 = (line: number): string => `It is not UTF-8 (line ${line}). Convert it first.`;

/**
 * Decodes a stream. Line feeds replace pairs of a carriage return and a line feed, which `csv-parse` counts twice in quotes.
 * @throws Error that names the file and the line
 */
export async function* readText(stream: AsyncIterable<Uint8Array>, path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let [line, rest] = [1, ""];
  const decode = (bytes?: Uint8Array): string => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch (error) {
      throw new Error(`${path}: ${notUtf8(line)}`, { cause: error });
    }
  };
  for await (const chunk of stream) {
    let text = rest;
    for (let start = 0, end = 0; start < chunk.length; start = end) {
      end = chunk.indexOf(LINE_FEED, start) + 1 || chunk.length;
      text += decode(chunk.subarray(start, end));
      if (chunk[end - 1] === LINE_FEED) line += 1;
    }
    rest = text.endsWith("\r") ? "\r" : "";
    yield text.slice(0, text.length - rest.length).replaceAll("\r\n", "\n");
  }
  yield rest + decode();
}
