// The images of a pool to one scale, each with the rectangles that its tensors use from its corner.

class Images {
  constructor(panel, canvas, app) {
    Object.assign(this, {panel, canvas, app});
    this.context = canvas.getContext('2d');
    this.boxes = [];
    canvas.addEventListener('pointermove', (event) => this.app.point(this.hit(event), event));
    canvas.addEventListener('pointerleave', () => this.app.point(null));
    canvas.addEventListener('click', (event) => this.app.select(this.hit(event)));
    new ResizeObserver(() => this.changed()).observe(canvas);
  }

  fit() {}

  changed() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  /** place lays the images out in rows and returns the height. */
  place(width) {
    const largest = Math.max(...this.panel.images.map((s) => Math.max(s.width, s.height)), 1);
    const scale = Math.min(260, width / 3) / largest;
    this.boxes = [];
    let x = 0, y = 0, row = 0;
    for (const s of this.panel.images) {
      const w = Math.max(2, s.width * scale), h = Math.max(2, s.height * scale), label = `${s.id}: ${s.width} × ${s.height}`;
      const room = Math.max(w, label.length * 6.4);
      if (x > 0 && x + room > width) {
        x = 0;
        y += row + 34;
        row = 0;
      }
      this.boxes.push({s, x: x + 1, y: y + 16, w, h, label, scale});
      x += room + 16;
      row = Math.max(row, h);
    }
    return y + row + 24;
  }

  draw() {
    const width = this.canvas.clientWidth, ratio = window.devicePixelRatio || 1, c = this.context;
    if (width === 0) return;
    const height = this.place(width);
    this.canvas.style.height = `${height}px`;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    const ink = this.app.theme(), colour = colours(this.app.by);
    c.font = '11px system-ui, sans-serif';
    for (const box of this.boxes) {
      c.fillStyle = ink.soft;
      c.fillText(box.label, box.x, box.y - 4);
      for (const t of box.s.users) {
        c.globalAlpha = this.app.found === null || this.app.found.has(t) ? 1 : .16;
        c.fillStyle = colour(t);
        c.strokeStyle = ink.tile;
        c.lineWidth = .7;
        const w = Math.max(1, t.width * box.scale), h = Math.max(1, t.height * box.scale);
        c.fillRect(box.x, box.y, w, h);
        c.strokeRect(box.x, box.y, w, h);
      }
      c.globalAlpha = 1;
      c.strokeStyle = ink.ink;
      c.lineWidth = 1.2;
      c.strokeRect(box.x, box.y, box.w, box.h);
      for (const t of box.s.users) {
        if (t !== this.app.selected && t !== this.app.pointed) continue;
        c.lineWidth = 3;
        c.strokeRect(box.x, box.y, t.width * box.scale, t.height * box.scale);
      }
    }
  }

  /** hit is the smallest tensor that covers the point. */
  hit(event) {
    const edge = this.canvas.getBoundingClientRect(), x = event.clientX - edge.left, y = event.clientY - edge.top;
    for (const box of this.boxes) {
      for (const t of [...box.s.users].reverse()) {
        if (x >= box.x && x <= box.x + t.width * box.scale && y >= box.y && y <= box.y + t.height * box.scale) return t;
      }
    }
    return null;
  }
}
