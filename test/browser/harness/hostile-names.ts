/** Names that do something on a page that takes them for markup. */
export const PICTURE = "<img src=x onerror=alert(1)>";
export const SCRIPT = '"><script>alert(1)</script>';
export const TEMPLATE = "{{7*7}} ${7*7} &lt;b&gt; &amp;";
