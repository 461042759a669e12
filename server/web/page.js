"use strict";
// Shows what the server sends and sends what is tapped. It lays out; all words come from the server.
// deploy/web/README.md describes the messages. A page that is reloaded is known by its token.

const $ = id => document.getElementById(id);
const SIGNS = { c: "\u2663", d: "\u2666", h: "\u2665", s: "\u2660" };
const board = location.pathname === "/board";
const storage = (() => { try { localStorage.setItem("quatch.try", ""); return localStorage; } catch { return sessionStorage; } })();
const kept = key => storage.getItem("quatch." + key) || "";
const keep = (key, value) => storage.setItem("quatch." + key, value);

// Another device has shown this page's address as a code, which makes this browser the same guest once.
let moved = /^#[\w-]{14}$/.test(location.hash) ? location.hash.slice(1) : "";
if (moved) history.replaceState(null, "", location.pathname);

let socket = null, wait = 500, retry = 0, at = "", heard = 0, deadline = 0, shownTalk = "";
const last = {}, away = $("off").textContent;

// Elements.

function el(tag, kind, ...inside) {
  const made = document.createElement(tag);
  if (kind) made.className = kind;
  made.append(...inside);
  return made;
}

function button(act, kind, ...inside) {
  const made = el("button", kind, ...(inside.length ? inside : [act.label]));
  const line = act.move || [act.do, act.of].filter(Boolean).join(" ");
  made.type = "button";
  if (act.says) made.setAttribute("aria-label", made.textContent + " " + act.says);
  if (act.move) made.dataset.move = act.move;
  else if (act.do) made.dataset.do = act.do;
  if (line) { made.line = line; made.onclick = () => type(line, true); } else made.disabled = true;
  return made;
}

/** Build a part anew if its value has changed, with the focus where it was. */
function put(id, value, build) {
  const text = JSON.stringify(value || null);
  if (last[id] === text) return;
  last[id] = text;
  const part = $(id), line = part.contains(document.activeElement) && document.activeElement.line;
  part.replaceChildren(...(value ? [build(value)].flat() : []));
  if (line) [...part.querySelectorAll("button")].find(each => each.line === line)?.focus();
}

function face(card) {
  const rank = card[0] === "T" ? "10" : card[0];
  return [rank, el("span", card[1], SIGNS[card[1]])];
}

function small(card) {
  if (!card) return el("span", "card none", "\u00a0\u00a0");
  return card === "##" ? el("span", "card faint", "##") : el("span", "card", ...face(card));
}

// What the server sends.

function show(shown) {
  at = shown.at || "";
  document.body.className = shown.look || "four";
  const { table, lobby } = shown;
  document.body.dataset.phase = shown.phase;
  document.body.dataset.turn = table && table.mine ? "you" : "";
  view("game");
  put("head", table ? [table.heading + "  " + table.title, table.terms] : ["QUATCH", shown.name],
    ([name, more]) => [name, el("span", "", more || "")]);
  put("notice", shown.notice, text => text);
  put("seats", table && table.seats, seats => seats.map(seat));
  put("pile", table && table.pile, pile);
  put("lines", table ? { lines: table.lines } : lobby, lines);
  log(shown.log || [], shown.talk || []);
  put("answer", shown.answer && [shown.answer, shown.again],
    ([text, again]) => [text, ...(again ? [button(again)] : [])]);
  put("whose", table && table.turn, text => text);
  put("own", table && table.own, own);
  put("acts", shown.acts, acts => acts.map(act => button(act)));
  deadline = shown.clock === undefined ? 0 : performance.now() + 1000 * shown.clock;
  tick();
  text(shown.text);
  if (shown.calls) { navigator.vibrate?.([120, 60, 120]); document.title = "\u25cf Quatch"; }
  else if (!table || !table.mine) document.title = "Quatch";
}

function seat(seat) {
  const about = [`hand ${seat.hand || 0}`, seat.downs && "down " + seat.downs,
    seat.reserve && "reserve " + seat.reserve].filter(Boolean).join(" ");
  return el("div", seat.moves ? "seat moves" : "seat", el("b", "", seat.name, el("small", "", seat.state || seat.kind || "")),
    el("span", "", ...(seat.ups || []).map(small), ...(seat.open || []).map(small)), el("small", "about", about));
}

function pile(pile) {
  const [top, ...under] = pile.cards || [];
  return [
    el("span", "top", ...(top ? face(top) : ["\u00a0"])),
    el("div", "", el("div", "", el("span", "faint", "PLAY "), el("b", "", pile.play)),
      el("div", "under", ...(under.length ? under.map(small) : [])),
      el("div", "faint", `PILE ${pile.count}  STOCK ${pile.stock || 0}  BIN ${pile.bin || 0}`),
      el("div", "faint", pile.run || "")),
  ];
}

function lines(part) {
  const made = (part.lines || []).map(line => el("p", "", line));
  if (part.steps) {
    made.unshift(el("div", "steps", ...part.steps.map(act =>
      button({ ...act, says: "" }, "", act.label, " ", el("span", "", act.says || "")))));
    for (const table of part.tables || []) {
      made.push(el("div", "row", el("p", "", table.text), ...(table.act ? [button(table.act)] : [])));
    }
    made.push(el("p", "faint", "Here: " + (part.here || []).join(", ")));
  }
  return made;
}

/** Add the lines that are new, so that a screen reader reads them alone. */
function log(lines, talk) {
  const said = talk.slice(-2), wanted = [...lines.slice(-8), ...said.map(line => "\u201c" + line)];
  const box = $("log"), there = [...box.children].map(each => each.textContent);
  let same = Math.min(there.length, wanted.length);
  while (same && there.slice(-same).join("\n") !== wanted.slice(0, same).join("\n")) same--;
  while (box.children.length > same) box.firstChild.remove();
  for (const line of wanted.slice(same)) box.append(el("p", line[0] === "\u201c" ? "said" : "", line));
  put("said", talk, talk => talk.map(line => el("p", "", line)));
  const all = talk.join("\n");
  if (all !== shownTalk && !$("talk").open) $("talks").classList.toggle("new", !!shownTalk || !!all);
  shownTalk = all;
}

function own(own) {
  const chosen = new Set(), choosing = own.lay && own.choose, inHand = each => playable(each) || choosing;
  const lying = [...(own.ups || []).filter(group => !inHand(group)).flatMap(group => group.cards.map(small)),
    ...(own.downs || []).map(slot => slot === null ? small("") : slot.move ? button(slot, "can") : el("span", "card faint", "##")),
    ...(own.reserve || []).map(small)];
  const hand = [...(own.hand || []), ...(own.ups || []).filter(inHand)];
  const made = [];
  if (lying.length || own.state) made.push(el("div", "lying", ...lying, el("small", "faint", own.state || "")));
  if (hand.length) made.push(el("div", "hand", ...hand.map(group)));
  if (choosing) {
    const lay = button(own.lay, "wide");
    for (const [index, each] of [...made.at(-1).querySelectorAll("button")].entries()) {
      const card = hand.flatMap(group => group.cards)[index];
      each.disabled = false;
      each.setAttribute("aria-pressed", "false");
      each.onclick = () => {
        if (!chosen.delete(card)) chosen.add(card);
        each.classList.toggle("can", chosen.has(card));
        each.setAttribute("aria-pressed", String(chosen.has(card)));
        lay.disabled = chosen.size !== choosing;
      };
    }
    lay.disabled = true;
    lay.onclick = () => type([own.lay.do, ...[...chosen].map(card => card[0])].join(" "), true);
    made.push(lay);
  }
  return made;
}

const playable = group => group.acts || group.why;

function group(group) {
  const cards = group.cards.map((card, index) => {
    const act = group.acts && group.acts[index], label = [];
    if (act && act.label) label.push(act.label, el("span", card[1], SIGNS[card[1]]));
    else label.push(...face(card));
    return button(act || { do: group.why }, act ? "can" : group.acts || group.why ? "cannot" : "", ...label);
  });
  const made = el("div", "group", el("div", "", ...cards));
  if (group.others) made.append(el("div", "others", ...group.others.map(act => button(act, "can"))));
  return made;
}

function text(page) {
  const dialog = $("text");
  if (!page) { if (dialog.open) { dialog.dataset.quiet = "1"; dialog.close(); } return; }
  put("title", page.title, title => title);
  put("body", page.lines, lines => {
    const code = lines.filter(line => /^[ \u2580\u2584\u2588]{9,}$/.test(line));
    return [...(code.length ? [drawn(code)] : []), lines.slice(code.length).join("\n")];
  });
  if (!dialog.open) { for (const each of document.querySelectorAll("dialog[open]")) each.close(); dialog.showModal(); $("body").scrollTop = 0; }
}

/** A QR code that the server has painted in half blocks, drawn so that every camera reads it. */
function drawn(lines) {
  const made = el("canvas", "code"), size = lines[0].length, bits = { "\u2580": 1, "\u2584": 2, "\u2588": 3 }, scale = 8;
  made.width = made.height = (size + 8) * scale;
  const pen = made.getContext("2d");
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, made.width, made.height);
  pen.fillStyle = "#000";
  lines.forEach((line, y) => [...line].forEach((char, x) => [0, 1].forEach(half => {
    if (bits[char] >> half & 1) pen.fillRect((x + 4) * scale, (2 * y + half + 4) * scale, scale, scale);
  })));
  return made;
}

function menu(menu) {
  $("entries").replaceChildren(...menu.entries.map(entry => {
    const made = el("button", "", entry.usage, el("br"), el("small", "", entry.help));
    made.type = "button";
    made.onclick = () => {
      if (entry.line.endsWith(" ")) { const input = $("type").firstChild; input.value = entry.line; input.focus(); }
      else { $("list").close(); type(entry.line); }
    };
    return made;
  }));
  $("quick").replaceChildren(...menu.quick.map(act => button(act)));
}

function tick() {
  const left = deadline ? Math.max(0, Math.ceil((deadline - performance.now()) / 1000)) : null;
  $("clock").textContent = left === null ? "" : `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
}
setInterval(tick, 500);

// What is sent.

const send = message => socket && socket.readyState === 1 && socket.send(JSON.stringify(message));
const type = (line, seen) => send({ type: "type", line, ...(seen && at ? { at } : {}) });

/** How many characters of text fit beside each other, for pages that are wrapped by the server. */
function fits() {
  const probe = el("span", "probe", "M".repeat(50));
  document.body.append(probe);
  const wide = probe.getBoundingClientRect().width / 50;
  probe.remove();
  return Math.floor(Math.min(innerWidth - 16, 600) / wide) + 3;
}

// The connection.

function view(id) {
  for (const each of ["come", "over", "game", "board"]) $(each).hidden = each !== id;
}

function connect() {
  clearTimeout(retry);
  if (socket) { socket.onclose = null; socket.close(); }
  const opened = socket = new WebSocket(new URL("play", location.href).href.replace(/^http/, "ws").replace(/#.*/, ""));
  let over = false, parting = false;
  opened.onopen = () => send(board ? { type: "board", ...cells() } : { type: "hello", name: kept("name"), token: kept("token"), columns: fits() });
  opened.onmessage = ({ data }) => {
    heard = performance.now();
    $("off").hidden = true;
    wait = 500;
    if (!data) return;
    $("off").textContent = parting ? data.trim() : away;
    if (parting) return;
    if (board) { parting = data.includes("\x1b[?1049l"); return paint(data); }
    const message = JSON.parse(data);
    if (message.type === "welcomed") {
      keep("token", message.token);
      send({ type: "menu" });
      if (moved) { type("device " + moved); moved = ""; }
    } else if (message.type === "shown") { keep("name", message.name); show(message); }
    else if (message.type === "menu") menu(message);
    else if (message.type === "ended" && message.back) $("off").textContent = message.lines.at(-1);
    else if (message.type === "ended") {
      over = true;
      delete document.body.dataset.phase;
      document.body.dataset.turn = "";
      for (const each of document.querySelectorAll("dialog[open]")) each.close();
      view("over");
      $("farewell").textContent = message.lines.join("\n");
    }
  };
  opened.onclose = () => {
    if (over || opened !== socket) return;
    $("off").hidden = false;
    retry = setTimeout(connect, wait * (0.75 + Math.random() / 2));
    wait = Math.min(2 * wait, 8000);
  };
}

/** Find out soon whether the connection still works, as after the phone was locked. */
function check() {
  if (!socket || document.hidden || !$("over").hidden || !$("come").hidden) return;
  if (socket.readyState > 1) { wait = 500; return connect(); }
  if (socket.readyState < 1) return;
  const asked = performance.now();
  socket.send("");
  setTimeout(() => { if (heard < asked && !document.hidden) { $("off").hidden = false; connect(); } }, 3000);
}
document.addEventListener("visibilitychange", check);
addEventListener("online", check);
addEventListener("pageshow", check);
setInterval(check, 15000);

$("come").querySelector("form").onsubmit = event => {
  event.preventDefault();
  keep("name", $("name").value.trim());
  $("come").hidden = true;
  connect();
};
$("again").onclick = () => { $("over").hidden = true; connect(); };
$("menu").onclick = () => { send({ type: "menu" }); $("list").showModal(); };
$("talks").onclick = () => { $("talks").classList.remove("new"); $("talk").showModal(); $("said").scrollTop = 1e9; };
$("text").onclose = () => { if (!$("text").dataset.quiet) send({ type: "close" }); delete $("text").dataset.quiet; };
for (const [id, before, stays] of [["say", "/", true], ["type", "", false]]) {
  $(id).onsubmit = event => {
    event.preventDefault();
    const input = $(id).firstChild;
    if (input.value.trim()) type(before + input.value.trim());
    input.value = "";
    if (!stays) $("list").close();
  };
}

// The big board: what a terminal would be sent, drawn into cells.

const STYLES = { 1: "bold", 2: "dim", 4: "underline", 7: "reverse", 47: "paper", 31: "red", 32: "green", 33: "yellow", 34: "blue", 35: "magenta", 36: "cyan" };
let grid = [], x = 0, y = 0, style = "", rows = 24, region = [0, 23];

/** The size of the board in cells: the browser's zoom is that of the letters, as in a terminal. */
function cells() {
  const probe = el("span", "probe", "M".repeat(50));
  view("board");
  $("board").lastElementChild.append(probe);
  const { width, height } = probe.getBoundingClientRect();
  probe.remove();
  rows = Math.floor(innerHeight / height);
  return { columns: Math.floor(innerWidth / (width / 50)), rows };
}

function paint(data) {
  for (const [, escape, parameters, kind, plain] of data.matchAll(/(\x1b\[([?\d;]*)([A-Za-z]))|([^\x1b]+|\x1b)/g)) {
    const numbers = (parameters || "").split(";").map(Number);
    if (!escape) write(plain);
    else if (kind === "H") { y = (numbers[0] || 1) - 1; x = (numbers[1] || 1) - 1; }
    else if (kind === "m") style = numbers.filter(number => STYLES[number]).map(number => STYLES[number]).join(" ");
    else if (kind === "K") grid[y] = (grid[y] || []).slice(0, x);
    else if (kind === "J") grid = [];
    else if (parameters === "?1049") { grid = []; x = y = 0; } // another screen: what is said at the end stands alone
    else if (kind === "r") region = parameters ? [numbers[0] - 1, numbers[1] - 1] : [0, rows - 1];
  }
  $("board").lastElementChild.replaceChildren(...Array.from({ length: rows }, (_, row) => line(grid[row] || [])));
}

function write(text) {
  for (const char of text) {
    if (char === "\r") x = 0;
    else if (char === "\n") {
      if (y === region[1]) { grid.splice(region[0], 1); grid.splice(region[1], 0, []); }
      else y++;
    } else {
      const row = grid[y] ||= [];
      while (row.length < x) row.push([" ", ""]);
      row[x++] = [char, style];
    }
  }
}

function line(row) {
  const made = el("div", "");
  for (let from = 0, to; from < row.length; from = to) {
    for (to = from; to < row.length && row[to][1] === row[from][1]; to++);
    made.append(el("i", row[from][1], row.slice(from, to).map(cell => cell[0]).join("")));
  }
  if (!row.length) made.append("\u00a0");
  return made;
}

if (board) { let later; addEventListener("resize", () => { clearTimeout(later); later = setTimeout(() => send({ type: "resize", ...cells() }), 300); }); connect(); }
else if (kept("name") || moved) connect();
else { view("come"); $("name").focus(); }
