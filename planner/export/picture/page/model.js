// What the page knows: the plans, their tensors as objects, and how numbers are written.

const data = JSON.parse(document.getElementById('data').textContent);
const VIEW = 1, COPY = 2, PINNED = 4, SPILLED = 8;

/** tensorOf makes an object of a row of the data; plan, graph and index say where it stands. Of several graphs it has the name. */
function tensorOf(row, plan, graph, index, graphName) {
  const [name, role, scope, pool, storage, offset, size, first, last, flags, width, height, change, facts, pieces = [[first, last, 0, size]]] = row;
  const haystack = [name, role, scope, pool, graphName].join('\n').toLowerCase();
  return {name, role, scope, pool, storage, offset, size, first, last, flags, width, height, change, facts, pieces, plan, graph, index, haystack, graphName};
}

const plans = data.plans.map((plan, p) => ({
  ...plan,
  graphs: plan.graphs.map((graph, g) => ({...graph, index: g, tensors: graph.tensors.map((row, t) => tensorOf(row, p, g, t, plan.graphs.length > 1 ? graph.name : ''))})),
}));

/** current is the plan that the list shows; the old one of two adds what is gone. */
const current = plans[plans.length - 1];

/** keyOf names a tensor whichever plan it is of. */
const keyOf = (t) => JSON.stringify([plans[t.plan].graphs[t.graph].name, t.name]);

const twins = new Map();
for (const plan of plans) {
  for (const graph of plan.graphs) {
    for (const t of graph.tensors) {
      const key = keyOf(t);
      if (!twins.has(key)) twins.set(key, []);
      twins.get(key).push(t);
    }
  }
}

/** all are the tensors of the list: those of the plan, then those that only the old one has. */
const all = [];
for (const graph of current.graphs) all.push(...graph.tensors);
if (plans.length > 1) {
  for (const graph of plans[0].graphs) all.push(...graph.tensors.filter((t) => t.change === 'gone'));
}

const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];

/** bytesText writes an amount rounded to hundredths of its unit. */
function bytesText(n) {
  if (n === 0) return '0';
  let unit = 0;
  while (n >= 1024 && unit < units.length - 1) {
    n /= 1024;
    unit++;
  }
  return `${Math.round(n * 100) / 100} ${n === 1 && unit === 0 ? 'byte' : units[unit]}`;
}

/** byteTicks are multiples of a power of two in [low, high], about as many as asked for. */
function byteTicks(low, high, most) {
  let step = 1;
  while ((high - low) / step > most) step *= 2;
  const ticks = [];
  for (let at = Math.ceil(low / step) * step; at <= high; at += step) ticks.push(at);
  return ticks;
}

/** stepTicks are multiples of 1, 2 or 5 times a power of ten in [low, high). */
function stepTicks(low, high, most) {
  let step = 1;
  for (let i = 0; (high - low) / step > most; i++) step *= [2, 2.5, 2][i % 3];
  const ticks = [];
  for (let at = Math.ceil(low / step) * step; at < high; at += step) ticks.push(at);
  return ticks;
}

const swatches = {role: data.roles, scope: data.scopes, change: data.changes};

/** colours gives the colour of a tensor by what the reader chose. */
function colours(by) {
  const known = new Map(swatches[by].map((s) => [s.name, s.colour]));
  return (t) => known.get(t[by]) ?? '#56b4e9';
}

const change = {placed: '+', moved: '~', gone: '-', same: '='};

/** sentence says a tensor in one line, for the tip and for screen readers. */
function sentence(t) {
  const parts = [`${t.name}: ${t.role}, ${bytesText(t.size)}`];
  if (t.offset !== null) parts.push(`at ${t.offset}`);
  if (t.width > 0) parts.push(`${t.width} × ${t.height} texels`);
  parts.push(t.pool === '' ? 'in memory of the caller' : `in ${t.pool}`, `steps ${t.first} to ${t.last - 1}`);
  if (t.flags & VIEW) parts.push('a view');
  if (t.flags & COPY) parts.push('a copy');
  if (t.flags & PINNED) parts.push('pinned');
  if (t.flags & SPILLED) parts.push('spilled');
  if (t.change) parts.push(t.change);
  return parts.join(', ');
}

/** element makes an element with a text; every text goes in as text. */
function element(tag, attributes = {}, text = '') {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
  if (text !== '') e.textContent = text;
  return e;
}

/** shared is the line of an explanation about another tensor of the graph with some of the same bytes. */
function shared(t, index) {
  const o = plans[t.plan].graphs[t.graph].tensors[index];
  const bytes = t.offset === null || o.offset === null ? 'the image'
    : `bytes [${Math.max(t.offset, o.offset)}, ${Math.min(t.offset + t.size, o.offset + o.size)})`;
  return `"${o.name}", live [${o.first}, ${o.last}): ${bytes}`;
}

/** fitted is a text cut to a width: at its start, since what tells the names of a model apart stands at the end. */
function fitted(context, text, width) {
  if (context.measureText(text).width <= width) return text;
  let from = 1;
  while (from < text.length && context.measureText(`…${text.slice(from)}`).width > width) from += Math.max(1, Math.floor((text.length - from) / 16));
  return `…${text.slice(from)}`;
}
