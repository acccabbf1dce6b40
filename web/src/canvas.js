// A canvas that follows the size of its box and the sharpness of the screen.
import {element} from './elements.js';

export function drawingCanvas(host, label, paint) {
  const canvas = element('canvas', {role: 'img', 'aria-label': label});
  host.append(canvas);
  const repaint = () => {
    if (!canvas.isConnected) return observer.disconnect(); // another drawing took its place
    const width = host.clientWidth, height = host.clientHeight, ratio = devicePixelRatio || 1;
    if (width === 0) return;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    const ctx = canvas.getContext('2d');
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.clearRect(0, 0, width, height);
    paint(ctx, width, height);
  };
  const observer = new ResizeObserver(repaint);
  observer.observe(host);
  return repaint;
}

export function arrow(ctx, x, y, dx, dy, ink) {
  const length = Math.hypot(dx, dy);
  if (length < 2) return;
  const head = Math.min(9, 0.6 * length), ux = dx / length, uy = dy / length;
  const bx = x + dx - head * ux, by = y + dy - head * uy;
  ctx.strokeStyle = ctx.fillStyle = ink;
  ctx.lineWidth = 2.5;
  ctx.beginPath();
  ctx.moveTo(x, y);
  ctx.lineTo(bx, by);
  ctx.stroke();
  ctx.beginPath();
  ctx.moveTo(x + dx, y + dy);
  ctx.lineTo(bx - 0.5 * head * uy, by + 0.5 * head * ux);
  ctx.lineTo(bx + 0.5 * head * uy, by - 0.5 * head * ux);
  ctx.fill();
}

export function spring(ctx, x1, y1, x2, y2, ink, coils = 7) {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const ux = (x2 - x1) / length, uy = (y2 - y1) / length, lead = Math.min(8, 0.1 * length);
  ctx.strokeStyle = ink;
  ctx.lineWidth = 1.5;
  ctx.lineJoin = 'round';
  ctx.beginPath();
  ctx.moveTo(x1, y1);
  ctx.lineTo(x1 + lead * ux, y1 + lead * uy);
  for (let i = 0; i < 2 * coils; ++i) {
    const along = lead + (length - 2 * lead) * (i + 0.5) / (2 * coils), side = i % 2 ? 6 : -6;
    ctx.lineTo(x1 + along * ux - side * uy, y1 + along * uy + side * ux);
  }
  ctx.lineTo(x2 - lead * ux, y2 - lead * uy);
  ctx.lineTo(x2, y2);
  ctx.stroke();
}
