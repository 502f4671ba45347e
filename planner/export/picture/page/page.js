// The page: panels for the pools, the search, the explanation, and what connects them.

/** panelOf gathers one graph in one pool, null when the graph has nothing there. */
function panelOf(plan, pool, graph) {
  const members = graph.tensors.filter((t) => t.pool === pool.name && t.size > 0 && t.last > t.first);
  if (members.length === 0) return null;
  const panel = {plan, pool, graph, tiles: [], rows: null, images: imagesOf(plan, pool, members), live: [], peakText: ''};
  if (pool.type !== 'flat') panel.rows = panel.images.map((s) => ({label: `${s.width} × ${s.height}`}));
  const rowOf = new Map(panel.images.map((s, i) => [s.id, i]));
  for (const view of [false, true]) {
    for (const t of members) {
      if (Boolean(t.flags & VIEW) !== view) continue;
      const row = rowOf.get(t.storage);
      if (panel.rows && row !== undefined) panel.tiles.push({t, low: row + .08, high: row + .92});
      else if (!panel.rows && t.offset !== null) panel.tiles.push({t, low: t.offset, high: t.offset + t.size});
    }
  }
  const byTensor = new Map(panel.tiles.map((tile) => [tile.t, tile]));
  panel.tileOf = (t) => byTensor.get(t) ?? (twins.get(keyOf(t)) ?? []).map((other) => byTensor.get(other)).find(Boolean);
  panel.byStep = [...panel.tiles].sort((a, b) => a.t.first - b.t.first || a.low - b.low || a.t.index - b.t.index);
  bounds(panel, members);
  return panel;
}

/** bounds sets what a panel shows: its steps, its bytes, the live bytes and the step of the peak. */
function bounds(panel, members) {
  const {pool, graph} = panel;
  panel.from = graph.steps.length > 0 ? 0 : members[0].first;
  panel.to = graph.steps.length;
  for (const t of members) {
    panel.from = Math.min(panel.from, t.first);
    panel.to = Math.max(panel.to, t.last);
  }
  panel.ceiling = Math.max(pool.peak, pool.bound, 1);
  if (pool.capacity !== null && pool.capacity > panel.ceiling && pool.capacity / 2 <= panel.ceiling) panel.ceiling = pool.capacity;
  panel.ceiling *= 33 / 32; // room for the lines at the top
  if (panel.rows) panel.ceiling = panel.rows.length;
  panel.steady = members.every((t) => t.role === 'constant');
  if (!panel.steady) panel.live = liveOf(members);
  panel.liveCeiling = panel.live.reduce((most, [, , n]) => Math.max(most, n), Math.max(1, pool.bound)) * 17 / 16;
  panel.peakStep = pool.peakGraph === graph.name ? pool.peakStep : null;
  if (panel.peakStep !== null) {
    const op = graph.steps[panel.peakStep];
    panel.peakText = `peak at step ${panel.peakStep}${op ? `, ${op[1]}` : ''}`;
  }
}

/** alike gives the panels of two plans one scale, so that what is longer or higher looks so. */
function alike(panels) {
  if (panels.length < 2 || panels.some((panel) => panel.rows)) return;
  for (const [bound, choose] of [['from', Math.min], ['to', Math.max], ['ceiling', Math.max], ['liveCeiling', Math.max]]) {
    const value = choose(...panels.map((panel) => panel[bound]));
    for (const panel of panels) panel[bound] = value;
  }
}

/** liveOf lists spans [from, to, bytes] during which the same tensors are live. */
function liveOf(members) {
  const delta = new Map();
  for (const t of members) {
    if (t.flags & VIEW) continue;
    for (const [first, last, from, to] of t.pieces) {
      delta.set(first, (delta.get(first) ?? 0) + to - from);
      delta.set(last, (delta.get(last) ?? 0) - to + from);
    }
  }
  const steps = [...delta.keys()].sort((a, b) => a - b), spans = [];
  let live = 0;
  steps.forEach((step, i) => {
    live += delta.get(step);
    if (i + 1 < steps.length) spans.push([step, steps[i + 1], live]);
  });
  return spans;
}

function imagesOf(plan, pool, members) {
  const users = new Map();
  for (const t of members) {
    if (t.width === 0 || t.flags & VIEW) continue;
    if (!users.has(t.storage)) users.set(t.storage, []);
    users.get(t.storage).push(t);
  }
  return plan.storages.filter((s) => s.pool === pool.name && users.has(s.id))
    .map((s) => ({...s, users: users.get(s.id).sort((a, b) => b.width * b.height - a.width * a.height || a.index - b.index)}));
}

const $ = (id) => document.getElementById(id);

class App {
  constructor() {
    Object.assign(this, {by: data.changes.length > 0 ? 'change' : 'role', found: null, selected: null, pointed: null, views: [], active: null});
    $('title').textContent = data.title;
    $('summary').textContent = this.summary();
    this.list = new List($('list'), this);
    this.panels();
    this.tools();
    this.search();
    this.explain(null);
  }

  summary() {
    if (plans.length > 1) {
      const count = (kind) => all.filter((t) => t.change === kind).length;
      return `${plans[0].name}, left, and this plan, right: ${count('placed')} placed, ${count('moved')} moved, ${count('gone')} gone, ${count('same')} as they were`;
    }
    return current.graphs.map((g) => `${g.name}: ${g.steps.length} steps, ${g.tensors.length} tensors, from ${g.source}`).join('; ') + (current.note ? `. ${current.note}` : '');
  }

  /** panels makes a section for each pool and graph, with a side for each plan. What nothing changes comes last. */
  panels() {
    const made = new Set(), sections = [];
    for (const plan of [...plans].reverse()) {
      for (const pool of plan.pools) {
        for (const graph of plan.graphs) {
          const name = JSON.stringify([pool.name, graph.name]);
          if (made.has(name)) continue;
          made.add(name);
          const sides = plans.map((p) => this.side(p, pool.name, graph.name));
          if (sides.some((s) => s.panel)) sections.push({steady: sides.every((s) => !s.panel || s.panel.steady), pool, graph, sides});
        }
      }
    }
    sections.sort((a, b) => a.steady - b.steady);
    for (const section of sections) $('maps').append(this.section(section));
  }

  side(plan, poolName, graphName) {
    const pool = plan.pools.find((p) => p.name === poolName), graph = plan.graphs.find((g) => g.name === graphName);
    return {plan, pool, panel: pool && graph ? panelOf(plan, pool, graph) : null};
  }

  section({pool, graph, sides}) {
    const section = element('section', {class: 'pool', 'aria-label': `Pool ${pool.name}, graph ${graph.name}`});
    section.append(element('h2', {}, `Pool ${pool.name}, graph ${graph.name}`));
    const row = element('div', {class: sides.length > 1 ? 'sides two' : 'sides'});
    alike(sides.map((side) => side.panel).filter(Boolean));
    const before = this.plots().length;
    for (const side of sides) row.append(this.sideElement(side, pool, graph));
    const plots = this.plots().slice(before);
    if (plots.every((plot) => !plot.panel.rows)) for (const plot of plots) plot.twins = plots.filter((other) => other !== plot);
    section.append(row);
    return section;
  }

  sideElement({plan, pool, panel}, declared, graph) {
    const box = element('div', {class: 'side'});
    if (plans.length > 1) box.append(element('h3', {}, plan.name));
    if (!panel) {
      box.append(element('p', {class: 'soft'}, pool ? 'Nothing of the graph is in this pool.' : 'This plan has no such pool.'));
      return box;
    }
    box.append(element('p', {class: 'soft'}, pool.facts));
    const label = `Memory map of pool ${declared.name}, graph ${graph.name}${plans.length > 1 ? `, ${plan.name}` : ''}: ${panel.tiles.length} tensors, ${pool.facts}. Arrow keys go from tensor to tensor.`;
    if (panel.images.length > 0) {
      box.append(element('h3', {}, 'Images, to one scale'));
      const images = element('canvas', {role: 'img', 'aria-label': `Images of pool ${declared.name}: ${panel.images.map((s) => `${s.width} by ${s.height}`).join(', ')}`});
      box.append(images);
      this.views.push(new Images(panel, images, this));
      if (panel.rows) box.append(element('h3', {}, 'Which tensor uses which image when'));
    }
    const canvas = element('canvas', {tabindex: 0, role: 'application', 'aria-label': label}), readout = element('p', {class: 'readout'});
    box.append(canvas, readout);
    const plot = new Plot(panel, canvas, readout, this);
    this.views.push(plot);
    this.active ??= plot;
    return box;
  }

  plots() { return this.views.filter((view) => view instanceof Plot); }

  tools() {
    for (const [value, label] of [['role', 'role'], ['scope', 'scope'], ...(data.changes.length > 0 ? [['change', 'change']] : [])]) {
      $('colour').append(element('option', {value}, label));
    }
    $('colour').value = this.by;
    $('colour').addEventListener('change', () => {
      this.by = $('colour').value;
      this.redraw();
    });
    $('zoom-in').addEventListener('click', () => this.zoom(.6));
    $('zoom-out').addEventListener('click', () => this.zoom(1 / .6));
    $('fit').addEventListener('click', () => this.fit());
    $('help-button').addEventListener('click', () => {
      $('help').hidden = !$('help').hidden;
      $('help-button').setAttribute('aria-expanded', String(!$('help').hidden));
    });
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const mark = (is) => {
      $('theme').setAttribute('aria-pressed', String(is));
      this.redraw();
    };
    $('theme').addEventListener('click', () => {
      const now = document.documentElement.dataset.theme ? document.documentElement.dataset.theme === 'dark' : dark.matches;
      document.documentElement.dataset.theme = now ? 'light' : 'dark';
      mark(!now);
    });
    dark.addEventListener('change', () => mark(dark.matches));
    mark(dark.matches);
    document.addEventListener('keydown', (event) => this.key(event));
    addEventListener('beforeprint', () => this.print(true));
    addEventListener('afterprint', () => this.print(false));
  }

  /** print draws everything at once in light colours, for the printer cannot wait for a frame. */
  print(on) {
    this.printing = on;
    for (const view of this.views) {
      if (on) view.fit();
      view.stale = true;
      view.draw();
    }
  }

  /** leaders are the plots without those that follow another. */
  leaders() {
    const plots = this.plots();
    return plots.filter((plot, i) => !plot.twins.some((other) => plots.indexOf(other) < i));
  }

  zoom(factor) {
    for (const plot of this.leaders()) plot.zoom(factor);
  }

  fit() {
    for (const plot of this.leaders()) plot.fit();
  }

  key(event) {
    const typing = ['INPUT', 'SELECT', 'TEXTAREA'].includes(event.target.tagName);
    if (event.key === 'Escape') {
      this.select(null);
      if (typing) event.target.blur();
      return;
    }
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const run = {'/': () => $('search').focus(), '+': () => this.zoom(.6), '=': () => this.zoom(.6), '-': () => this.zoom(1 / .6), 0: () => this.fit()}[event.key];
    if (!run) return;
    event.preventDefault();
    run();
  }

  search() {
    const box = $('search');
    if (data.changes.length > 0) $('only-changed').hidden = false;
    box.addEventListener('input', () => this.filter());
    $('changed').addEventListener('change', () => this.filter());
    box.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') this.list.go((this.list.at + 1) % Math.max(1, this.list.items.length));
      else if (event.key === 'ArrowDown') $('list').focus();
      else return;
      event.preventDefault();
    });
    this.filter();
  }

  /** filter shows the tensors that have every word of the search, in any part of their description. */
  filter() {
    const words = $('search').value.toLowerCase().split(/\s+/).filter(Boolean), changed = $('changed').checked;
    const items = all.filter((t) => (!changed || t.change !== 'same') && words.every((word) => t.haystack.includes(word)));
    this.found = words.length === 0 && !changed ? null : new Set(items.flatMap((t) => twins.get(keyOf(t))));
    this.list.fill(items);
    $('count').textContent = this.found === null ? `${all.length} tensors` : `${items.length} of ${all.length} tensors`;
    this.redraw();
  }

  /** point shows the tensor under the pointer without selecting it. */
  point(t, event) {
    const tip = $('tip');
    tip.hidden = !t || !event;
    if (t && event) {
      tip.textContent = sentence(t);
      tip.style.left = `${Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8)}px`;
      tip.style.top = `${Math.min(event.clientY + 16, innerHeight - tip.offsetHeight - 8)}px`;
    }
    if (t === this.pointed) return;
    this.pointed = t;
    this.explain(t ?? this.selected);
    this.outline();
  }

  select(t) {
    this.selected = t && (all.includes(t) ? t : twins.get(keyOf(t)).at(-1));
    this.list.follow(this.selected);
    this.explain(this.selected);
    $('status').textContent = this.selected ? sentence(this.selected) : '';
    this.outline();
  }

  /** show zooms every map that has the selected tensor to it. */
  show() {
    for (const plot of this.plots()) {
      const tile = this.selected && plot.panel.tileOf(this.selected);
      if (tile) {
        plot.show(tile);
        plot.canvas.scrollIntoView({block: 'nearest'});
      }
    }
  }

  /** explain shows all there is to say of a tensor: the text of "memplan show -tensor". */
  explain(t) {
    const box = $('details');
    if (!t) {
      box.replaceChildren(element('p', {class: 'soft'}, 'Point at a tensor, or select one, for its explanation.'));
      return;
    }
    const parts = [element('h2', {}, t.name)];
    for (const one of twins.get(keyOf(t))) {
      if (plans.length > 1) parts.push(element('h3', {}, plans[one.plan].name));
      const list = element('dl');
      for (const [label, ...lines] of one.facts) {
        const text = element('dd');
        for (const line of lines) text.append(element('p', {}, typeof line === 'number' ? shared(one, line) : line));
        list.append(element('dt', {}, data.labels[label]), text);
      }
      parts.push(list);
    }
    box.replaceChildren(...parts);
  }

  /** theme are the colours of the canvas. */
  theme() {
    if (this.printing) return {ink: '#000', soft: '#333', line: '#bbb', paper: '#fff', tile: '#1b1f24', accent: '#0969da', area: '#0969da44'};
    const style = getComputedStyle(document.documentElement), value = (name) => style.getPropertyValue(name).trim();
    const accent = value('--accent');
    return {ink: value('--ink'), soft: value('--soft'), line: value('--line'), paper: value('--paper'), tile: value('--tile-line'), accent, area: `${accent}44`};
  }

  /** outline draws which tensors are chosen. */
  outline() {
    for (const view of this.views) view.changed(false);
  }

  redraw() {
    for (const view of this.views) view.changed();
    this.list.draw();
    this.legend();
  }

  /** legend explains what the plans show, and nothing that they do not. */
  legend() {
    const kinds = new Set(), panels = this.plots().map((plot) => plot.panel);
    let flags = 0;
    for (const panel of panels) {
      for (const {t} of panel.tiles) {
        kinds.add(t[this.by]);
        flags |= t.flags;
      }
    }
    const items = swatches[this.by].filter((s) => kinds.has(s.name)).map((s) => [s.label, '', s.colour]);
    const marks = [
      ['copy between scopes', 'copy', flags & COPY], ["view of another tensor's bytes", 'view', flags & VIEW], ['pinned', 'pin', flags & PINNED],
      ['bound', 'bound', panels.some((p) => !p.rows)], ['capacity', 'capacity', panels.some((p) => !p.rows && p.pool.capacity !== null && p.pool.capacity <= p.ceiling)],
      ['step of the peak', 'peak', panels.some((p) => p.peakStep !== null)],
    ];
    items.push(...marks.filter(([, , shown]) => shown).map(([label, kind]) => [label, kind]));
    $('legend').replaceChildren(...items.map(([label, kind, colour]) => {
      const item = element('li'), mark = element('span', {class: `swatch ${kind}`, 'aria-hidden': 'true'});
      if (colour) mark.style.background = colour;
      item.append(mark, label);
      return item;
    }));
  }
}

window.memplan = new App();
