/** The style of the reference. It stands in the page itself, whose policy allows nothing from outside. */
export const docsStyle = `
:root { color-scheme: light dark;
  --canvas: light-dark(#fff, #18191b); --sunken: light-dark(#f7f6f3, #121315); --line: light-dark(#e8e5df, #2b2d31);
  --text: light-dark(#1e1f22, #ecebe8); --muted: light-dark(#5d5f66, #a6a8ae); --accent: light-dark(#0a6874, #5bc8d5);
  --soft: light-dark(#e3f2f3, #173a40); --code: light-dark(#f3f1ed, #26282c);
  --get: light-dark(#1d6b3a, #6ad394); --post: light-dark(#0a6874, #5bc8d5); --put: light-dark(#7a4a00, #f2c069);
  --delete: light-dark(#b3261e, #ff8a80);
  --mono: ui-monospace, "Cascadia Code", "SF Mono", Menlo, Consolas, monospace; }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--canvas); color: var(--text); line-height: 1.5;
  font: 0.9375rem/1.5 -apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif; }
a { color: var(--accent); text-underline-offset: 0.15em; }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
code, pre { font-family: var(--mono); font-size: 0.86em; }
code { background: var(--code); padding: 0.1em 0.35em; border-radius: 4px; overflow-wrap: anywhere; }
pre { background: var(--code); padding: 1rem; border-radius: 10px; overflow-x: auto; line-height: 1.45; }
pre code { background: none; padding: 0; overflow-wrap: normal; font-size: inherit; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: 1rem; background: var(--canvas); padding: 0.5rem 1rem; z-index: 2; }
.page { display: grid; grid-template-columns: 17rem minmax(0, 1fr); max-width: 80rem; margin: 0 auto; }
nav { position: sticky; top: 0; align-self: start; height: 100vh; overflow-y: auto; padding: 2rem 1rem 2rem 1.5rem;
  border-right: 1px solid var(--line); font-size: 0.8125rem; }
nav .brand { font-size: 1.125rem; font-weight: 650; color: var(--text); text-decoration: none; }
nav h2 { font-size: 0.8125rem; margin: 1.25rem 0 0.25rem; border: 0; padding: 0; }
nav h2 a { color: var(--text); text-decoration: none; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: block; padding: 0.2rem 0.5rem; margin-left: -0.5rem; border-radius: 6px; color: var(--muted);
  text-decoration: none; overflow-wrap: anywhere; }
nav a:hover { color: var(--accent); }
nav li a:hover { background: var(--soft); }
main { padding: 2.5rem clamp(1rem, 4vw, 3.5rem) 6rem; min-width: 0; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 0.5rem; letter-spacing: -0.02em; }
h2 { font-size: 1.375rem; margin: 3.5rem 0 1rem; padding-bottom: 0.4rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 0; overflow-wrap: anywhere; font-weight: 600; }
h4 { font-size: 0.75rem; letter-spacing: 0.06em; text-transform: uppercase; color: var(--muted); margin: 1.25rem 0 0.4rem; }
h2 a.here, h3 a { color: inherit; text-decoration: none; }
h3 a:hover { text-decoration: underline; }
.lead { font-size: 1.0625rem; color: var(--muted); max-width: 44rem; margin-top: 0; }
p, li { max-width: 44rem; }
.call, .shape { border: 1px solid var(--line); border-radius: 12px; padding: 1.1rem 1.25rem; margin: 1rem 0; }
.call:target, .shape:target { border-color: var(--accent); box-shadow: 0 0 0 3px var(--soft); }
.call header { display: flex; flex-wrap: wrap; gap: 0.6rem; align-items: baseline; }
.call header h3 { font-family: var(--mono); font-size: 0.9375rem; flex: 1 1 16rem; }
.call p { margin: 0.5rem 0 0; }
.method { font: 650 0.75rem/1 var(--mono); padding: 0.3rem 0.5rem; border-radius: 6px; border: 1px solid currentColor; }
.get { color: var(--get); } .post { color: var(--post); } .put, .patch { color: var(--put); } .delete { color: var(--delete); }
.side { font-size: 0.75rem; color: var(--muted); border: 1px solid var(--line); border-radius: 99px; padding: 0.1rem 0.6rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 0.875rem; }
th { text-align: left; font-weight: 500; color: var(--muted); font-size: 0.75rem; }
th, td { padding: 0.4rem 0.75rem 0.4rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
tbody tr:last-child td { border-bottom: 0; }
td:first-child { min-width: 12rem; }
.fields th:first-child { width: 42%; } .fields th:nth-child(2) { width: 26%; }
.d1 td:first-child { padding-left: 1.25rem; } .d2 td:first-child { padding-left: 2.5rem; } .d3 td:first-child { padding-left: 3.75rem; }
.req { font-size: 0.6875rem; font-weight: 500; color: var(--put); margin-left: 0.25rem; }
small, .limits, .none { color: var(--muted); }
summary { cursor: pointer; color: var(--accent); font-size: 0.875rem; margin-top: 0.9rem; width: fit-content; }
@media (max-width: 56rem) {
  .page { display: block; }
  nav { position: static; height: auto; max-height: 40vh; border-right: 0; border-bottom: 1px solid var(--line); padding: 1rem; }
}
@media print { nav { display: none; } .page { display: block; } }
`;
