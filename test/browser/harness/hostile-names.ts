/** Names that would do something on a page that doesn't escape them. */
export const PICTURE = "<img src=x onerror=alert(1)>";
export const SCRIPT = '"><script>alert(1)</script>';
export const TEMPLATE = "{{7*7}} ${7*7} &lt;b&gt; &amp;";
