// The list of tensors: a listbox of which only the rows in sight are in the document.

const ROW = 40;

class List {
  constructor(box, app) {
    Object.assign(this, {box, app, items: [], at: -1});
    this.pad = element('div', {class: 'pad'});
    box.append(this.pad);
    box.addEventListener('scroll', () => this.draw());
    box.addEventListener('keydown', (event) => this.key(event));
    box.addEventListener('focus', () => { if (this.at < 0 && this.items.length > 0) this.go(0); });
    new ResizeObserver(() => this.draw()).observe(box);
  }

  /** fill shows other tensors and keeps the selected one if it is among them. */
  fill(items) {
    this.items = items;
    this.places = new Map(items.map((t, i) => [t, i]));
    this.pad.style.height = `${items.length * ROW}px`;
    this.at = this.places.get(this.app.selected) ?? -1;
    this.draw();
  }

  /** follow shows which tensor is selected. */
  follow(t) {
    this.at = this.places.get(t) ?? -1;
    if (this.at >= 0) {
      const top = this.at * ROW, seen = this.box.scrollTop, room = this.box.clientHeight;
      if (top < seen) this.box.scrollTop = top;
      else if (top + ROW > seen + room) this.box.scrollTop = top + ROW - room;
    }
    this.draw();
  }

  draw() {
    const first = Math.max(0, Math.floor(this.box.scrollTop / ROW) - 4);
    const last = Math.min(this.items.length, Math.ceil((this.box.scrollTop + this.box.clientHeight) / ROW) + 4);
    const rows = [];
    this.colour = colours(this.app.by);
    for (let i = first; i < last; i++) rows.push(this.row(i));
    if (this.at >= 0 && (this.at < first || this.at >= last)) rows.push(this.row(this.at));
    this.pad.replaceChildren(...rows);
    if (this.at >= 0) this.box.setAttribute('aria-activedescendant', `row-${this.at}`);
    else this.box.removeAttribute('aria-activedescendant');
  }

  row(i) {
    const t = this.items[i];
    const row = element('div', {
      class: 'row', role: 'option', id: `row-${i}`, 'aria-selected': String(i === this.at), 'aria-setsize': this.items.length, 'aria-posinset': i + 1,
    });
    row.style.top = `${i * ROW}px`;
    row.style.borderLeftColor = this.colour(t);
    row.append(element('b', {}, (t.change ? `${change[t.change]} ` : '') + t.name));
    row.append(element('small', {}, `${t.graphName && `${t.graphName}: `}${t.role}, ${bytesText(t.size)}, ${t.pool || 'caller'}${t.offset === null ? '' : ` at ${t.offset}`}, steps ${t.first} to ${t.last - 1}`));
    row.addEventListener('click', () => this.go(i));
    row.addEventListener('pointerenter', () => this.app.point(t));
    row.addEventListener('pointerleave', () => this.app.point(null));
    return row;
  }

  go(i) {
    if (i >= 0 && i < this.items.length) this.app.select(this.items[i]);
  }

  key(event) {
    const page = Math.max(1, Math.floor(this.box.clientHeight / ROW) - 1), last = this.items.length - 1;
    const to = {
      ArrowDown: this.at + 1, ArrowRight: this.at + 1, ArrowUp: this.at - 1, ArrowLeft: this.at - 1,
      PageDown: Math.min(last, this.at + page), PageUp: Math.max(0, this.at - page), Home: 0, End: last,
    }[event.key];
    if (event.key === 'Enter') this.app.show();
    else if (to !== undefined) this.go(to);
    else return;
    event.preventDefault();
  }
}
