// Renders the view tree of the kernel and reports the user's actions. It loads nothing from a network.
//
// The kernel sends a tree of [tag, attributes, ...children]. Unchanged elements are kept, so that focus, caret
// and unsent typing survive every redraw. Events are sent as {do, at, value, seq}. The kernel returns the
// highest seq that it has processed, so that an outdated redraw never overwrites newer typing.

const OURS = new Set(["on", "at", "key", "enter", "live", "value", "checked", "open", "vars", "ticks", "copy", "slot", "html"]);
const POINTS = new Set(["id", "for", "name", "list", "aria-labelledby", "aria-describedby", "aria-controls"]);
const REACHED = new Set(["button", "select", "input", "textarea", "summary"]);
const TYPED = new Set(["text", "search", "number"]);
const QUIET = 250; // milliseconds without a key press before typing is sent
const SLOW = 2500; // milliseconds after which the kernel is reported as busy
const models = new WeakMap();
let views = 0;

const isText = (kid) => typeof kid === "string";
// JupyterLab matches single-letter shortcuts on the focused element; suppress them there and above.
const quiet = (el) => el.setAttribute("data-lm-suppress-shortcuts", "true");
const typed = (el) => el.tagName === "TEXTAREA" || (el.tagName === "INPUT" && TYPED.has(el.type));

function clockText(seconds) {
  const whole = Math.max(0, Math.round(seconds));
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

class View {
  constructor(model, el) {
    this.model = model;
    this.prefix = `vxp${++views}-`;
    if (!models.has(model)) models.set(model, { seq: 0 });
    this.shared = models.get(model);
    this.slots = new Map();
    this.pending = new Map();
    this.root = document.createElement("div");
    this.root.className = "vxp-root";
    this.root.tabIndex = -1;
    quiet(this.root);
    this.aside = document.createElement("p");
    this.aside.className = "vxp-aside";
    this.aside.setAttribute("role", "status");
    el.append(this.root, this.aside);
    const first = model.get("_view");
    this.focused = first.focus?.n ?? 0;
    this.draw = () => this.redraw();
    this.heard = (message) => this.hear(message);
    model.on("change:_view", this.draw);
    model.on("msg:custom", this.heard);
    this.redraw();
    this.clock = setInterval(() => this.tick(), 1000);
  }

  close() {
    clearInterval(this.clock);
    clearTimeout(this.waiting);
    this.model.off("change:_view", this.draw);
    this.model.off("msg:custom", this.heard);
  }

  redraw() {
    const view = this.model.get("_view");
    if (!view.tree) return;
    this.seen = view.seq;
    const before = document.activeElement;
    const inside = this.root.contains(before);
    this.kids(this.root, [view.tree]);
    if (this.seen >= this.shared.seq) this.answered();
    const wanted = view.focus.n > this.focused ? view.focus : null;
    this.asked = view.focus.n;
    const target = wanted && this.root.querySelector(`#${CSS.escape(this.prefix + wanted.id)}`);
    if (target) {
      this.focused = wanted.n; // not before: the target may arrive with a later redraw
      if (inside) target.focus();
    } else if (inside && before !== document.activeElement) {
      (before.isConnected ? before : this.root).focus();
    }
  }

  kids(parent, children) {
    const keyed = new Map();
    for (const old of parent.childNodes) if (old.__vxp?.key != null) keyed.set(old.__vxp.key, old);
    let cursor = parent.firstChild;
    for (const kid of children) {
      if (isText(kid)) {
        if (cursor?.nodeType === Node.TEXT_NODE) {
          if (cursor.data !== kid) cursor.data = kid;
          cursor = cursor.nextSibling;
        } else parent.insertBefore(document.createTextNode(kid), cursor);
        continue;
      }
      const [tag, attrs] = kid;
      let found = null;
      if (attrs.key != null) found = keyed.get(attrs.key) ?? null;
      else if (cursor?.__vxp && cursor.__vxp.key == null) found = cursor;
      if (found && found.__vxp.tag !== tag) found = null;
      if (!found) found = parent.insertBefore(this.make(tag), cursor);
      else if (found !== cursor) parent.insertBefore(found, cursor);
      this.patch(found, kid);
      cursor = found.nextSibling;
    }
    while (cursor) {
      const next = cursor.nextSibling;
      cursor.remove();
      cursor = next;
    }
  }

  make(tag) {
    const el = document.createElement(tag);
    el.__vxp = { tag, attrs: {} };
    if (REACHED.has(tag)) quiet(el);
    if (tag === "button") el.addEventListener("click", () => this.pressed(el));
    if (tag === "details") el.addEventListener("click", (event) => this.folded(event, el));
    if (tag === "select") el.addEventListener("change", () => this.tell(el, el.value));
    if (tag === "input" || tag === "textarea") {
      el.addEventListener("input", () => this.edited(el));
      el.addEventListener("change", () => this.changed(el));
      el.addEventListener("keydown", (event) => this.key(event, el));
    }
    return el;
  }

  patch(el, [tag, attrs, ...children]) {
    const old = el.__vxp.attrs;
    el.__vxp.attrs = attrs;
    el.__vxp.key = attrs.key;
    for (const name of Object.keys(old)) if (!(name in attrs) && !OURS.has(name)) el.removeAttribute(name);
    for (const [name, value] of Object.entries(attrs)) {
      if (OURS.has(name) || name.startsWith("on")) continue;
      const text = POINTS.has(name) ? value.split(" ").map((id) => this.prefix + id).join(" ") : value;
      if (el.getAttribute(name) !== text) el.setAttribute(name, text);
    }
    if ("tabindex" in attrs) quiet(el);
    for (const [name, value] of Object.entries(attrs.vars ?? {})) el.style.setProperty(name, value);
    if (attrs.html !== undefined) {
      if (attrs.html !== old.html) el.innerHTML = attrs.html; // only tables made and escaped by the kernel
      return this.picks(el, attrs);
    }
    if (attrs.slot) return this.fill(el, attrs.slot);
    if (attrs.ticks) return this.start(el, attrs.ticks);
    if (tag !== "textarea") this.kids(el, children);
    this.state(el, attrs);
  }

  // Buttons inside a table are not part of the tree. The one at [row, place] is the chosen one. The table is
  // one stop of the Tab key; arrow keys move inside it.
  picks(el, { on, at }) {
    const buttons = [...el.querySelectorAll("button[data-row]")];
    const isAt = (one) => at?.[0] === one.dataset.row && at?.[1] === Number(one.dataset.place);
    const stop = buttons.find((one) => one === document.activeElement) ?? buttons.find(isAt) ?? buttons[0];
    for (const one of buttons) {
      quiet(one);
      one.tabIndex = one === stop ? 0 : -1;
      one.setAttribute("aria-pressed", String(isAt(one)));
      one.onclick = () => this.send(on, [one.dataset.row, Number(one.dataset.place)], null);
      one.onkeydown = (event) => this.move(event, one, buttons);
    }
  }

  move(event, from, buttons) {
    const place = Number(from.dataset.place);
    const row = buttons.filter((one) => one.dataset.row === from.dataset.row);
    const column = buttons.filter((one) => Number(one.dataset.place) === place);
    const [line, step] = { ArrowLeft: [row, -1], ArrowRight: [row, 1], ArrowUp: [column, -1], ArrowDown: [column, 1] }[event.key] ?? [];
    const to = line?.[line.indexOf(from) + step];
    if (!to) return;
    event.preventDefault();
    from.tabIndex = -1;
    to.tabIndex = 0;
    to.focus();
  }

  state(el, attrs) {
    const early = this.shared.seq > this.seen; // the kernel has not processed the last click yet
    if ("checked" in attrs && !early) el.checked = attrs.checked;
    if ("open" in attrs && !early && el.open !== attrs.open) el.open = attrs.open;
    if (!("value" in attrs) || el.type === "checkbox" || el.type === "radio") {
      if ("value" in attrs) el.value = attrs.value;
      return;
    }
    const behind = el.__vxp.dirty || (el.__vxp.sent ?? 0) > this.seen;
    if (!behind && el.value !== attrs.value) el.value = attrs.value;
  }

  // User actions

  pressed(el) {
    const { on, copy } = el.__vxp.attrs;
    if (el.getAttribute("aria-disabled") === "true") return;
    if (copy) return this.copy(copy);
    if (on) this.tell(el, null);
  }

  folded(event, el) {
    if (event.target.closest("summary")?.parentElement !== el) return;
    event.preventDefault(); // the native toggle is delayed, and a redraw in between would undo it
    el.open = !el.open;
    if (el.__vxp.attrs.on) this.tell(el, el.open);
  }

  edited(el) {
    if (!typed(el)) return;
    el.__vxp.dirty = true;
    if (el.type === "number" && !el.__vxp.attrs.live) return;
    clearTimeout(this.pending.get(el));
    this.pending.set(el, setTimeout(() => this.flush(el), QUIET));
  }

  changed(el) {
    if (el.type === "file") return this.files(el);
    if (el.type === "checkbox") return this.tell(el, el.checked);
    if (el.type === "radio") return el.checked ? this.tell(el, el.value) : undefined;
    if (el.type === "number" && !el.__vxp.attrs.live) return this.tell(el, el.value);
    if (this.pending.has(el)) this.flush(el);
  }

  key(event, el) {
    const { enter } = el.__vxp.attrs;
    if (event.key !== "Enter" || event.isComposing) return;
    if (!enter) return el.type === "number" && el.__vxp.dirty ? this.changed(el) : undefined;
    if (el.tagName === "TEXTAREA" && !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    this.changed(el);
    this.send(enter, el.__vxp.attrs.at, el.value);
  }

  flush(el) {
    clearTimeout(this.pending.get(el));
    this.pending.delete(el);
    el.__vxp.dirty = false;
    el.__vxp.sent = this.send(el.__vxp.attrs.on, el.__vxp.attrs.at, el.value);
  }

  async files(el) {
    const chosen = [...el.files];
    const names = chosen.map((file) => file.name);
    const held = await Promise.all(chosen.map((file) => file.arrayBuffer()));
    el.value = "";
    if (names.length) this.send(el.__vxp.attrs.on, el.__vxp.attrs.at, names, held);
  }

  tell(el, value) {
    for (const other of [...this.pending.keys()]) this.flush(other);
    el.__vxp.dirty = false;
    el.__vxp.sent = this.send(el.__vxp.attrs.on, el.__vxp.attrs.at, value);
  }

  send(action, at, value, buffers) {
    if (!action) return this.shared.seq;
    const seq = (this.shared.seq = Math.max(this.shared.seq, this.seen ?? 0) + 1);
    this.focused = this.asked; // drop a pending focus move once the user continues
    this.model.send({ do: action, at: at ?? null, value, seq }, undefined, buffers);
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => {
      if ((this.seen ?? 0) < this.shared.seq)
        this.say("Waiting for the notebook's kernel. It is busy, or was restarted: then run this cell again.", true);
    }, SLOW);
    return seq;
  }

  // Without the kernel

  answered() {
    clearTimeout(this.waiting);
    if (this.aside.classList.contains("vxp-slow")) this.say("");
  }

  say(text, slow = false) {
    this.aside.classList.toggle("vxp-slow", slow);
    this.aside.textContent = text;
  }

  async copy(id) {
    const source = this.root.querySelector(`#${CSS.escape(this.prefix + id)}`);
    const text = source?.value ?? source?.textContent ?? "";
    try {
      await navigator.clipboard.writeText(text);
      this.say("Copied.");
    } catch {
      const range = document.createRange();
      range.selectNodeContents(source);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      this.say("Selected: copy it with Ctrl+C, or Cmd+C on a Mac.");
    }
    setTimeout(() => this.aside.classList.contains("vxp-slow") || this.say(""), 4000);
  }

  start(el, ticks) {
    el.__vxp.begun = performance.now();
    el.__vxp.ticks = ticks;
    this.moment(el);
  }

  moment(el) {
    const { seconds, step } = el.__vxp.ticks;
    el.textContent = clockText(seconds + (step * (performance.now() - el.__vxp.begun)) / 1000);
  }

  tick() {
    for (const el of this.root.querySelectorAll("time")) if (el.__vxp?.ticks) this.moment(el);
  }

  hear(message) {
    if (!message.slot) return;
    this.slots.set(message.slot, message.text);
    for (const el of this.root.querySelectorAll("[data-slot]")) this.fill(el, el.__vxp.attrs.slot);
  }

  fill(el, slot) {
    const text = this.slots.get(slot) ?? "";
    if (el.tagName === "INPUT") el.value = text;
    else el.textContent = text;
    el.closest("[data-needs]")?.toggleAttribute("hidden", !text);
  }
}

export default {
  render({ model, el }) {
    const view = new View(model, el);
    return () => view.close();
  },
};
