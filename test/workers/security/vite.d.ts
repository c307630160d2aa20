/** What Vite makes of files that are read rather than run. */
declare module "*?raw" {
  const text: string;
  export default text;
}

interface ImportMeta {
  glob(pattern: string, options?: { query?: string; import?: string; eager?: boolean }): Record<string, unknown>;
}
