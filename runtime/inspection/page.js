// What the page does beyond folding: a filter, keys, and which lines of the IR were made from which line of code.
// Everything is there without it. Texts of the file are only ever set as text.
"use strict";
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const modules = all("details.module");
  const methods = all("details.method");
  const plain = all("ul.operators li, table.tensors.alone tr:not(:first-child)");
  for (const each of all("[data-script]")) each.hidden = false;

  // Folding -----------------------------------------------------------------------------------

  for (const button of all("button[data-fold]")) {
    button.addEventListener("click", () => {
      for (const each of all("details", button.closest("section"))) each.open = button.dataset.fold === "open";
    });
  }

  function reveal() {
    const target = document.getElementById(location.hash.slice(1));
    if (target === null) return;
    for (let each = target; each !== null; each = each.parentElement) {
      each.hidden = false;
      if (each.localName === "details") each.open = true;
    }
    target.scrollIntoView();
  }
  addEventListener("hashchange", reveal);

  // Keys in the tree: as in any tree of folders -------------------------------------------------

  const outerOf = (details) => details.parentElement.closest("details");

  function isShown(details) {
    if (details.hidden) return false;
    for (let outer = outerOf(details); outer; outer = outerOf(outer)) if (!outer.open || outer.hidden) return false;
    return true;
  }

  function shownFrom(index, step) {
    while (modules[index] && !isShown(modules[index])) index += step;
    return modules[index];
  }

  function moved(details, key) {
    const index = modules.indexOf(details);
    if (key === "ArrowRight" && !details.open) return void (details.open = true);
    if (key === "ArrowLeft" && details.open) return void (details.open = false);
    if (key === "ArrowLeft") return outerOf(details);
    if (key === "ArrowUp") return shownFrom(index - 1, -1);
    if (key === "Home") return shownFrom(0, 1);
    if (key === "End") return shownFrom(modules.length - 1, -1);
    return shownFrom(index + 1, 1);
  }

  const tree = document.querySelector(".tree");
  tree?.addEventListener("keydown", (event) => {
    const keys = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End"];
    if (event.target.localName !== "summary" || !keys.includes(event.key)) return;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    moved(event.target.parentElement, event.key)?.querySelector("summary").focus();
  });

  // The filter ----------------------------------------------------------------------------------

  const input = document.getElementById("filter");
  const matches = document.getElementById("matches");
  const searched = new Map();
  let before = null;

  function textOf(element) {
    if (!searched.has(element)) {
      const own = element.matches("details.module") ? all(":scope > summary, :scope > .own", element) : [element];
      const texts = own.map((each) => each.textContent);
      searched.set(element, [element.dataset.path ?? "", ...texts].join("\n").toLowerCase());
    }
    return searched.get(element);
  }

  function showModules(wanted) {
    let count = 0;
    for (const each of modules) each.hidden = true;
    for (const each of modules) {
      if (!textOf(each).includes(wanted)) continue;
      count += 1;
      each.hidden = false;
      for (let outer = outerOf(each); outer; outer = outerOf(outer)) {
        outer.hidden = false;
        outer.open = true;
      }
    }
    return count;
  }

  function show(elements, wanted) {
    let count = 0;
    for (const each of elements) {
      each.hidden = !textOf(each).includes(wanted);
      count += each.hidden ? 0 : 1;
    }
    return count;
  }

  const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

  function filter() {
    const wanted = input.value.trim().toLowerCase();
    if (wanted === "") return unfiltered();
    before ??= modules.map((each) => each.open);
    const counts = [];
    if (modules.length) counts.push(counted(showModules(wanted), "module"));
    if (methods.length) counts.push(counted(show(methods, wanted), "method"));
    const others = show(plain, wanted);
    counts.push(counted(others, methods.length ? "operator" : "tensor"));
    matches.textContent = counts.join(", ");
  }

  function unfiltered() {
    for (const each of [...modules, ...methods, ...plain]) each.hidden = false;
    if (before !== null) modules.forEach((each, index) => { each.open = before[index]; });
    before = null;
    matches.textContent = "";
  }

  let waiting = 0;
  input?.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(filter, 80);
  });

  addEventListener("keydown", (event) => {
    if (input === null) return;
    if (event.key === "Escape" && input.value !== "") {
      input.value = "";
      filter();
    } else if (event.key === "/" && event.target !== input && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      input.focus();
      input.select();
    }
  });

  for (const code of all("ul.operators code[data-find]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "find";
    button.title = "show the methods that use it";
    button.textContent = code.textContent;
    button.addEventListener("click", () => {
      input.value = code.dataset.find;
      filter();
      document.getElementById("code").scrollIntoView();
    });
    code.replaceChildren(button);
  }

  // Code and IR ---------------------------------------------------------------------------------

  const TOKENS = new RegExp(
    [
      /(?<s>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')/,
      /(?<c># .*$)/,
      /(?<k>\b(?:def|return|if|elif|else|for|in|while|and|or|not|is|None|True|False|graph|block\d+)\b)/,
      /(?<o>\b\w+::\w+)/,
      /(?<n>(?<![\w.%])-?\d[\d.]*(?:e[+-]?\d+)?\b)/,
    ].map((each) => each.source).join("|"), "g");
  const LONGEST_COLORED = 20000;
  const PLACE = /# (.+):(\d+):\d+$/;

  function colored(line, text) {
    if (text.length > LONGEST_COLORED) return void (line.textContent = text);
    let end = 0;
    for (const found of text.matchAll(TOKENS)) {
      const kind = Object.keys(found.groups).find((each) => found.groups[each] !== undefined);
      const span = document.createElement("span");
      span.className = kind;
      span.textContent = found[0];
      line.append(text.slice(end, found.index), span);
      end = found.index + found[0].length;
    }
    line.append(text.slice(end));
  }

  function lined(pre, numberOf, isNumbered) {
    const isProgram = isNumbered || pre.textContent.startsWith("graph(");  // not why there is none
    const lines = pre.textContent.split("\n").map((text, index) => {
      const line = document.createElement("div");
      const number = numberOf(text, index);
      if (number !== null) line.dataset.line = number;
      if (isNumbered) line.dataset.number = number;
      if (isProgram) colored(line, text);
      else line.textContent = text;
      return line;
    });
    pre.replaceChildren(...lines);
    pre.classList.add("lined");
    return lines;
  }

  function link(pair) {
    const [code, ir] = all("pre", pair);
    const first = Number(pair.dataset.line);
    const codeLines = lined(code, (_, index) => String(first + index), true);
    const irLines = lined(ir, (text) => {
      const place = PLACE.exec(text);
      return place !== null && place[1] === pair.dataset.file ? place[2] : null;
    }, false);
    const known = new Set(irLines.map((each) => each.dataset.line).filter((each) => each !== undefined));
    const lines = [...codeLines, ...irLines];
    for (const each of lines) each.classList.toggle("linked", known.has(each.dataset.line));
    let kept = null;

    function choose(number) {
      for (const each of lines) each.classList.toggle("chosen", number !== null && each.dataset.line === number);
    }

    function keep(line) {
      kept = line?.dataset.line ?? null;
      choose(kept);
      if (kept === null) return;
      for (const pre of [code, ir]) {
        const found = pre === line.parentElement ? line : pre.querySelector(".chosen");
        if (found === null) continue;
        const top = found.offsetTop;
        if (top < pre.scrollTop || top > pre.scrollTop + pre.clientHeight - 30) {
          pre.scrollTop = top - pre.clientHeight / 3;
        }
      }
    }

    for (const pre of [code, ir]) {
      const own = pre === code ? codeLines : irLines;
      pre.addEventListener("mouseover", (event) => {
        const line = event.target.closest(".linked");
        choose(line ? line.dataset.line : kept);
      });
      pre.addEventListener("mouseleave", () => choose(kept));
      pre.addEventListener("click", (event) => {
        const line = event.target.closest(".linked");
        if (getSelection().isCollapsed) keep(line?.dataset.line === kept ? null : line);
      });
      pre.addEventListener("keydown", (event) => {
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (event.key === "Escape") keep(null);
        if (step === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
        event.preventDefault();
        const numbers = own.map((each) => each.classList.contains("linked"));
        let at = own.findIndex((each) => kept !== null && each.dataset.line === kept);
        if (at < 0) at = step > 0 ? -1 : own.length;
        do at += step; while (at >= 0 && at < own.length && (!numbers[at] || own[at].dataset.line === kept));
        if (own[at]) keep(own[at]);
      });
    }
  }

  function linkOpened(details) {
    const pair = details.querySelector(".pair:not([data-linked])");
    if (!details.open || pair === null) return;
    pair.dataset.linked = "";
    link(pair);
  }
  for (const each of methods) {
    each.addEventListener("toggle", () => linkOpened(each));
    linkOpened(each);
  }
  if (location.hash) reveal();
})();
