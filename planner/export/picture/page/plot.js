// A plot: the tensors of one graph in one pool, steps across and bytes up, with the live bytes below. Where the pool has
// image objects, rows of images take the place of bytes.

const LEFT = 84, RIGHT = 20, TOP = 22, LIVE = 84, GAP = 16, BOTTOM = 40;

class Plot {
  constructor(panel, canvas, readout, app) {
    Object.assign(this, {panel, canvas, readout, app, twins: []});
    this.screen = canvas.getContext('2d');
    this.context = document.createElement('canvas').getContext('2d');
    this.fit();
    this.listen();
  }

  /** mapHeight is the height of the map in pixels; rows of images need more the more there are. */
  get mapHeight() { return this.panel.rows ? Math.min(420, Math.max(60, this.panel.rows.length * 14)) : 320; }
  get liveTop() { return TOP + this.mapHeight + GAP; }
  get hasLive() { return this.panel.live.length > 0; }
  get height() { return TOP + this.mapHeight + (this.hasLive ? GAP + LIVE : 0) + BOTTOM; }
  get width() { return this.canvas.clientWidth; }
  get plotWidth() { return Math.max(20, this.width - LEFT - RIGHT); }

  fit() { this.look({x0: this.panel.from, x1: this.panel.to, y0: 0, y1: this.panel.ceiling}); }

  /** look changes what is in sight, in the plot of the other plan as well. */
  look(view) {
    for (const plot of [this, ...this.twins]) {
      plot.view = {...view};
      plot.changed();
    }
  }

  /** zoom shows factor times as much around a point of the plot, given in steps and bytes; the middle by default. */
  zoom(factor, x, y) {
    const v = this.view, p = this.panel;
    x ??= (v.x0 + v.x1) / 2;
    y ??= (v.y0 + v.y1) / 2;
    const width = Math.min(p.to - p.from, Math.max(1, (v.x1 - v.x0) * factor));
    const height = Math.min(p.ceiling, Math.max(p.rows ? 1 : 16, (v.y1 - v.y0) * factor));
    this.look(this.kept(x - (x - v.x0) * width / (v.x1 - v.x0), y - (y - v.y0) * height / (v.y1 - v.y0), width, height));
  }

  /** kept is a view of a size within the plot. */
  kept(x0, y0, width, height) {
    x0 = Math.min(this.panel.to - width, Math.max(this.panel.from, x0));
    y0 = Math.min(this.panel.ceiling - height, Math.max(0, y0));
    return {x0, x1: x0 + width, y0, y1: y0 + height};
  }

  pan(steps, bytes) {
    const v = this.view;
    this.look(this.kept(v.x0 + steps, v.y0 + bytes, v.x1 - v.x0, v.y1 - v.y0));
  }

  /** show zooms to a tensor, with as much again around it. The other plan shows where the tensor is there. */
  show(tile) {
    const width = Math.max(4, (tile.t.last - tile.t.first) * 3), height = Math.max(this.panel.rows ? 4 : 64, (tile.high - tile.low) * 3);
    const w = Math.min(this.panel.to - this.panel.from, width), h = Math.min(this.panel.ceiling, height);
    this.view = this.kept((tile.t.first + tile.t.last - w) / 2, (tile.low + tile.high - h) / 2, w, h);
    this.changed();
  }

  x(step) { return LEFT + (step - this.view.x0) / (this.view.x1 - this.view.x0) * this.plotWidth; }
  y(bytes) { return TOP + this.mapHeight - (bytes - this.view.y0) / (this.view.y1 - this.view.y0) * this.mapHeight; }
  stepAt(x) { return this.view.x0 + (x - LEFT) / this.plotWidth * (this.view.x1 - this.view.x0); }
  bytesAt(y) { return this.view.y0 + (TOP + this.mapHeight - y) / this.mapHeight * (this.view.y1 - this.view.y0); }

  /**
   * changed draws before the next frame, however often it is called until then. Without a change of what is in sight,
   * only the outlines of the chosen tensors are drawn anew, over the picture of all others.
   */
  changed(all = true) {
    this.stale ||= all;
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  /** hit is the tile at a point of the canvas: the last drawn there, so a view before what it lies in. */
  hit(x, y) {
    if (x < LEFT || x > LEFT + this.plotWidth || y < TOP || y > TOP + this.mapHeight) return null;
    const step = this.stepAt(x), bytes = this.bytesAt(y);
    const tiles = this.panel.tiles;
    for (let i = tiles.length - 1; i >= 0; i--) {
      const tile = tiles[i];
      if (step >= tile.t.first && step < tile.t.last && bytes >= tile.low && bytes < tile.high) return tile;
    }
    return null;
  }

  draw() {
    const ratio = window.devicePixelRatio || 1, c = this.screen;
    const width = Math.round(this.width * ratio), height = Math.round(this.height * ratio);
    if (width === 0) return;
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.style.height = `${this.height}px`;
      for (const canvas of [this.canvas, this.context.canvas]) {
        canvas.width = width;
        canvas.height = height;
      }
      this.stale = true;
    }
    this.ink = this.app.theme();
    if (this.stale) this.drawAll(ratio);
    this.stale = false;
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.clearRect(0, 0, width, height);
    c.drawImage(this.context.canvas, 0, 0);
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.save();
    c.beginPath();
    c.rect(LEFT, TOP, this.plotWidth, this.mapHeight);
    c.clip();
    this.drawChosen(c);
    c.restore();
  }

  /** drawAll draws everything but the outlines of the chosen tensors, beside the screen. */
  drawAll(ratio) {
    const c = this.context;
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.clearRect(0, 0, this.width, this.height);
    c.font = '11px system-ui, sans-serif';
    this.drawGrid();
    c.save();
    c.beginPath();
    c.rect(LEFT, TOP, this.plotWidth, this.mapHeight);
    c.clip();
    this.drawTiles();
    this.drawMarks();
    c.restore();
    this.drawFrame(TOP, this.mapHeight);
    if (this.hasLive) this.drawLive();
    this.drawSteps();
  }

  drawFrame(top, height) {
    this.context.strokeStyle = this.ink.soft;
    this.context.lineWidth = 1;
    this.context.strokeRect(LEFT + .5, top + .5, this.plotWidth - 1, height - 1);
  }

  drawGrid() {
    const c = this.context, v = this.view, bottom = TOP + this.mapHeight;
    c.strokeStyle = this.ink.line;
    c.fillStyle = this.ink.soft;
    c.lineWidth = 1;
    c.textAlign = 'right';
    c.textBaseline = 'middle';
    if (this.panel.rows) {
      const every = Math.ceil((v.y1 - v.y0) / (this.mapHeight / 13));
      for (let i = 0; i < this.panel.rows.length; i += every) {
        const y = this.y(i + .5);
        if (y > TOP && y < bottom) c.fillText(this.panel.rows[i].label, LEFT - 6, y, LEFT - 8);
      }
    } else {
      for (const at of byteTicks(v.y0, v.y1, 7)) {
        const y = Math.round(this.y(at)) + .5;
        c.beginPath(); c.moveTo(LEFT, y); c.lineTo(LEFT + this.plotWidth, y); c.stroke();
        c.fillText(bytesText(at), LEFT - 6, Math.max(TOP, y));
      }
    }
    for (const at of stepTicks(v.x0, v.x1, this.plotWidth / 70)) {
      const x = Math.round(this.x(at)) + .5;
      c.beginPath(); c.moveTo(x, TOP); c.lineTo(x, bottom); c.stroke();
    }
  }

  /** drawTiles draws what is in view. A tile that is smaller than a pixel is drawn as one. */
  drawTiles() {
    const v = this.view, c = this.context, found = this.app.found, colour = colours(this.app.by);
    let drawn = 0, last = '';
    this.names = []; // written last, over the lines of views
    for (const tile of this.panel.tiles) {
      const t = tile.t;
      if (t.last <= v.x0 || t.first >= v.x1 || tile.high <= v.y0 || tile.low >= v.y1) continue;
      drawn++;
      last = this.drawTile(tile, colour(t), found === null || found.has(t), last);
    }
    for (const [t, x, y, room, alpha] of this.names) {
      c.globalAlpha = alpha;
      this.name(t, x, y, room);
    }
    c.globalAlpha = 1;
    this.canvas.dataset.drawn = drawn;
  }

  /** drawTile draws a tile and returns the colour that is now set; those of other sizes than a speck end without one. */
  drawTile(tile, colour, bright, last) {
    const c = this.context, t = tile.t;
    const x = Math.round(Math.max(LEFT - 2, this.x(t.first))), right = Math.round(Math.min(LEFT + this.plotWidth + 2, this.x(t.last)));
    const top = Math.round(Math.max(TOP - 2, this.y(tile.high))), bottom = Math.round(Math.min(TOP + this.mapHeight + 2, this.y(tile.low)));
    const w = Math.max(1, right - x), h = Math.max(1, bottom - top);
    if (bright && !(t.flags & VIEW) && (w <= 3 || h <= 2)) {
      if (colour !== last) c.fillStyle = colour;
      c.fillRect(x, top, w, h);
      return colour;
    }
    c.globalAlpha = bright ? 1 : .16;
    this.drawWhole(t, x, top, w, h, colour);
    c.globalAlpha = 1;
    return '';
  }

  drawWhole(t, x, top, w, h, colour) {
    const c = this.context;
    if (t.flags & VIEW) {
      c.strokeStyle = '#1b1f24';
      c.setLineDash([3, 2]);
      if (w > 2 && h > 2) c.strokeRect(x + 1, top + 1, w - 2, h - 2);
      c.setLineDash([]);
      return;
    }
    c.fillStyle = colour;
    c.fillRect(x, top, w, h);
    if (t.flags & COPY && w > 3 && h > 3) this.hatch(x, top, w, h);
    if (w > 3 && h > 2) {
      c.strokeStyle = this.ink.tile;
      c.lineWidth = .7;
      c.strokeRect(x + .5, top + .5, w, h);
    }
    if (t.flags & PINNED && w > 4 && h > 4) {
      c.fillStyle = '#1b1f24';
      c.beginPath(); c.moveTo(x, top); c.lineTo(x + 9, top); c.lineTo(x, top + 9); c.fill();
    }
    if (h > 13 && w > 30) this.names.push([t, x + 4, top + Math.min(h / 2, 10), w - 8, c.globalAlpha]);
  }

  /** name writes as much of a tensor's name as there is room for. */
  name(t, x, y, room) {
    const c = this.context, text = fitted(c, t.name, room);
    if (text.length < 4) return;
    c.fillStyle = '#111';
    c.textAlign = 'left';
    c.textBaseline = 'middle';
    c.fillText(text, x, y);
  }

  hatch(x, y, w, h) {
    const c = this.context;
    c.save();
    c.beginPath(); c.rect(x, y, w, h); c.clip();
    c.strokeStyle = '#1b1f2488';
    c.lineWidth = 1.4;
    c.beginPath();
    for (let d = -h; d < w; d += 6) { c.moveTo(x + d, y + h); c.lineTo(x + d + h, y); }
    c.stroke();
    c.restore();
  }

  /** drawChosen outlines the tensor that is selected and the one that is pointed at. */
  drawChosen(c) {
    for (const [t, width] of [[this.app.pointed, 1.5], [this.app.selected, 3]]) {
      const tile = t && this.panel.tileOf(t);
      if (!tile) continue;
      const x = this.x(tile.t.first), top = this.y(tile.high);
      c.lineWidth = width;
      c.strokeStyle = this.ink.ink;
      c.strokeRect(x, top, Math.max(2, this.x(tile.t.last) - x), Math.max(2, this.y(tile.low) - top));
    }
  }

  drawMarks() {
    const c = this.context, p = this.panel;
    if (p.peakStep !== null) {
      const x = this.x(p.peakStep), w = Math.max(1, this.x(p.peakStep + 1) - x);
      c.fillStyle = '#d55e0022';
      c.strokeStyle = '#d55e00';
      c.lineWidth = 1;
      c.fillRect(x, TOP, w, this.mapHeight);
      c.strokeRect(x, TOP, w, this.mapHeight);
    }
    if (p.rows) return;
    this.level(this.y(p.pool.bound), this.ink.ink, [7, 4], 1.3, '');
    if (p.pool.capacity !== null) this.level(this.y(p.pool.capacity), '#d55e00', [], 2, `capacity ${bytesText(p.pool.capacity)}`);
  }

  level(y, colour, dash, width, note) {
    const c = this.context;
    c.strokeStyle = colour;
    c.lineWidth = width;
    c.setLineDash(dash);
    c.beginPath(); c.moveTo(LEFT, y); c.lineTo(LEFT + this.plotWidth, y); c.stroke();
    c.setLineDash([]);
    if (note === '') return;
    c.fillStyle = this.ink.ink;
    c.textAlign = 'right';
    c.textBaseline = 'top';
    c.strokeStyle = this.ink.paper; // other lines do not strike the words through
    c.lineJoin = 'round';
    c.lineWidth = 3;
    c.strokeText(note, LEFT + this.plotWidth - 6, y + 4);
    c.fillText(note, LEFT + this.plotWidth - 6, y + 4);
  }

  drawLive() {
    const c = this.context, p = this.panel, top = this.liveTop, v = this.view;
    const y = (n) => top + LIVE - n / p.liveCeiling * LIVE;
    c.strokeStyle = this.ink.line;
    c.fillStyle = this.ink.soft;
    c.textAlign = 'right';
    c.textBaseline = 'middle';
    c.lineWidth = 1;
    for (const at of byteTicks(0, p.liveCeiling, 3)) {
      const line = Math.round(y(at)) + .5;
      c.beginPath(); c.moveTo(LEFT, line); c.lineTo(LEFT + this.plotWidth, line); c.stroke();
      c.fillText(bytesText(at), LEFT - 6, line);
    }
    c.save();
    c.beginPath(); c.rect(LEFT, top, this.plotWidth, LIVE); c.clip();
    c.beginPath();
    c.moveTo(LEFT, top + LIVE);
    let lastX = LEFT;
    for (const [from, to, n] of p.live) {
      if (to <= v.x0 || from >= v.x1) continue;
      lastX = this.x(to);
      c.lineTo(this.x(from), y(n));
      c.lineTo(lastX, y(n));
    }
    c.lineTo(lastX, top + LIVE);
    c.fillStyle = this.ink.area;
    c.strokeStyle = this.ink.accent;
    c.fill();
    c.stroke();
    this.level(y(p.pool.bound), this.ink.ink, [7, 4], 1.3, '');
    c.restore();
    this.drawFrame(top, LIVE);
  }

  drawSteps() {
    const c = this.context, bottom = this.height - BOTTOM, v = this.view;
    c.fillStyle = this.ink.soft;
    c.strokeStyle = this.ink.soft;
    c.textBaseline = 'top';
    c.textAlign = 'center';
    for (const at of stepTicks(v.x0, v.x1, this.plotWidth / 70)) {
      const x = Math.round(this.x(at)) + .5;
      c.beginPath(); c.moveTo(x, bottom); c.lineTo(x, bottom + 4); c.stroke();
      c.fillText(String(at), x, bottom + 6);
    }
    c.textAlign = 'left';
    c.fillText(this.panel.graph.steps.length > 0 ? 'steps, in the order in which the ops run' : 'time', LEFT, bottom + 22);
    c.textAlign = 'right';
    c.fillText(fitted(c, this.panel.peakText, this.plotWidth * .7), LEFT + this.plotWidth, 4);
    c.textAlign = 'left';
    c.fillText(this.panel.rows ? 'images' : "bytes from the pool's start", 4, 4);
    if (this.hasLive) {
      c.save();
      c.translate(10, this.liveTop + LIVE / 2);
      c.rotate(-Math.PI / 2);
      c.textAlign = 'center';
      c.fillText('live bytes', 0, -4);
      c.restore();
    }
  }

  listen() {
    const canvas = this.canvas;
    let drag = null;
    const place = (event) => {
      const box = canvas.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    canvas.addEventListener('pointermove', (event) => {
      const [x, y] = place(event);
      if (drag) {
        const v = this.view;
        this.pan((drag.x - x) / this.plotWidth * (v.x1 - v.x0), (y - drag.y) / this.mapHeight * (v.y1 - v.y0));
        drag = {x, y, moved: drag.moved || Math.abs(drag.x - x) + Math.abs(drag.y - y) > 1};
        return;
      }
      const tile = this.hit(x, y);
      this.app.point(tile && tile.t, event);
      this.read(x);
    });
    canvas.addEventListener('pointerdown', (event) => {
      const [x, y] = place(event);
      drag = {x, y, moved: false};
      if (event.pointerType === 'mouse') canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener('pointerup', (event) => {
      const [x, y] = place(event);
      if (drag && !drag.moved) {
        const tile = this.hit(x, y);
        this.app.select(tile && tile.t);
      }
      drag = null;
    });
    canvas.addEventListener('pointercancel', () => { drag = null; });
    canvas.addEventListener('pointerleave', () => {
      this.app.point(null);
      this.readout.textContent = '';
    });
    canvas.addEventListener('dblclick', (event) => {
      const [x, y] = place(event);
      this.zoom(.5, this.stepAt(x), this.bytesAt(y));
    });
    canvas.addEventListener('wheel', (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const [x, y] = place(event);
      this.zoom(Math.exp(event.deltaY * .002), this.stepAt(x), this.bytesAt(y));
    }, {passive: false});
    canvas.addEventListener('keydown', (event) => this.key(event));
    canvas.addEventListener('focus', () => { this.app.active = this; });
    new ResizeObserver(() => this.changed()).observe(canvas);
  }

  /** read says which step the pointer is at, and how much is live then. */
  read(x) {
    const step = Math.floor(this.stepAt(x)), p = this.panel;
    if (step < p.from || step >= p.to || x < LEFT) {
      this.readout.textContent = '';
      return;
    }
    const op = p.graph.steps[step], live = p.live.find(([from, to]) => step >= from && step < to);
    this.readout.textContent = `step ${step}${op ? `, ${op[0]} ${op[1]}` : ''}${live ? `: ${bytesText(live[2])} live` : ''}`;
  }

  key(event) {
    const v = this.view, steps = (v.x1 - v.x0) / 8, bytes = (v.y1 - v.y0) / 8;
    const moves = {ArrowLeft: [-steps, 0], ArrowRight: [steps, 0], ArrowUp: [0, bytes], ArrowDown: [0, -bytes]};
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in moves) {
      if (event.shiftKey) this.pan(...moves[event.key]);
      else this.step(event.key);
    } else if (event.key === 'Enter') {
      const tile = this.app.selected && this.panel.tileOf(this.app.selected);
      if (tile) this.show(tile);
    } else if (event.key === 'Home' || event.key === 'End') {
      const order = this.panel.byStep;
      this.choose(order[event.key === 'Home' ? 0 : order.length - 1]);
    } else {
      return;
    }
    event.preventDefault();
  }

  /** step selects the neighbour of the selected tensor: in time, or in memory among those that live with it. */
  step(key) {
    const now = this.app.selected && this.panel.tileOf(this.app.selected), order = this.panel.byStep;
    if (!now) return this.choose(order[0]);
    if (key === 'ArrowLeft' || key === 'ArrowRight') {
      return this.choose(order[Math.min(order.length - 1, Math.max(0, order.indexOf(now) + (key === 'ArrowRight' ? 1 : -1)))]);
    }
    const up = key === 'ArrowUp';
    let best = null;
    for (const tile of this.panel.tiles) {
      if (tile.t.first >= now.t.last || now.t.first >= tile.t.last || (up ? tile.low < now.high : tile.high > now.low)) continue;
      if (!best || (up ? tile.low < best.low : tile.high > best.high)) best = tile;
    }
    this.choose(best);
  }

  choose(tile) {
    if (!tile) return;
    this.app.select(tile.t);
    const v = this.view;
    if (tile.t.last <= v.x0 || tile.t.first >= v.x1 || tile.high <= v.y0 || tile.low >= v.y1) {
      this.look(this.kept((tile.t.first + tile.t.last - v.x1 + v.x0) / 2, (tile.low + tile.high - v.y1 + v.y0) / 2, v.x1 - v.x0, v.y1 - v.y0));
    }
  }
}
