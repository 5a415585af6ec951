"""How the page of `html_page` looks: light or dark as the reader's system is, and on paper."""

STYLE = """\
:root { --back: #fff; --text: #1c2128; --soft: #59636e;
    --line: #d1d9e0; --panel: #f6f8fa; --mark: #0969da; --bad: #b3261e; }
@media (prefers-color-scheme: dark) {
  :root { --back: #0d1117; --text: #e6edf3; --soft: #9198a1;
    --line: #30363d; --panel: #161b22; --mark: #58a6ff; --bad: #ff8178; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
header, main, footer { max-width: 1500px; margin: 0 auto; padding: 0 20px; }
h1 { margin: 24px 0 0; font-size: 24px; overflow-wrap: anywhere; }
h2 { margin: 28px 0 8px; font-size: 18px; border-bottom: 1px solid var(--line); }
h3 { margin: 0; font-size: 13px; color: var(--soft); }
header p, .pair p, i, footer { color: var(--soft); margin: 0; font-style: normal; }
footer { margin-top: 40px; padding-bottom: 30px; font-size: 13px; }
nav { position: sticky; top: 0; background: var(--back); border-bottom: 1px solid var(--line); padding: 8px 20px; }
nav a { margin-right: 18px; }
a { color: var(--mark); text-decoration: none; }
a:hover { text-decoration: underline; }
code, pre { font: 12.5px/1.45 ui-monospace, Consolas, Menlo, monospace; }
pre { margin: 4px 0; padding: 10px; background: var(--panel); border: 1px solid var(--line); overflow: auto;
  max-height: 80vh; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 1px 16px; margin: 6px 0; }
dt { color: var(--soft); max-width: 40vw; overflow-wrap: anywhere; }
dd { margin: 0; overflow-wrap: anywhere; }
table { border-collapse: collapse; margin: 6px 0; }
th { text-align: left; font-weight: 600; font-size: 13px; color: var(--soft); }
td, th { padding: 2px 16px 2px 0; vertical-align: top; overflow-wrap: anywhere; }
.number { text-align: right; white-space: nowrap; }
section, details { scroll-margin-top: 46px; }
details.module { border-left: 2px solid var(--line); padding-left: 12px; margin: 2px 0; }
summary { cursor: pointer; overflow-wrap: anywhere; padding: 2px 0; }
details.method { border: 1px solid var(--line); padding: 4px 10px; margin: 6px 0; }
.pair { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 14px; margin: 6px 0; }
@media (max-width: 900px) { .pair { grid-template-columns: minmax(0, 1fr); } }
.size { color: var(--soft); margin-left: 8px; font-size: 13px; }
.bar { display: inline-block; width: 90px; height: 7px; margin-left: 8px; background: var(--panel);
  border: 1px solid var(--line); }
.bar span { display: block; height: 100%; background: var(--mark); }
.lack { color: var(--bad); }
@media print { nav { display: none; } pre { max-height: none; } }
"""
