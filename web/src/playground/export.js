// What leaves the page: files, and a picture of what is shown.
import {element} from '../elements.js';
import {colour} from '../palette.js';

export function save(name, content, type) {
  const address = URL.createObjectURL(new Blob([content], {type}));
  const link = element('a', {href: address, download: name});
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

// The replay and all plots under each other.
export function picture(view, title) {
  view.replay?.paint(); // a WebGL canvas keeps its picture only until the next frame
  const stage = view.side.querySelector('.stage canvas');
  const plots = [...document.querySelectorAll('.lab .content .plot')].map(box => ({caption: box.querySelector('figcaption')?.firstChild?.textContent ?? '', canvas: box.querySelector('canvas')})).filter(one => one.canvas);
  const ratio = devicePixelRatio || 1, gap = 14 * ratio, line = 22 * ratio;
  const parts = [...(stage ? [{caption: '', canvas: stage}] : []), ...plots];
  const width = Math.max(...parts.map(one => one.canvas.width), 300 * ratio) + 2 * gap;
  const height = parts.reduce((sum, one) => sum + one.canvas.height + gap + line, 2 * line);
  const canvas = element('canvas', {width, height}), ctx = canvas.getContext('2d');
  ctx.fillStyle = colour('paper');
  ctx.fillRect(0, 0, width, height);
  ctx.fillStyle = colour('ink');
  ctx.font = `600 ${16 * ratio}px system-ui, sans-serif`;
  ctx.fillText(title, gap, 1.2 * line);
  let y = 1.8 * line;
  ctx.font = `600 ${13 * ratio}px system-ui, sans-serif`;
  for (const {caption, canvas: part} of parts) {
    ctx.fillText(caption, gap, y + 0.7 * line);
    ctx.drawImage(part, gap, y + line);
    y += line + part.height + gap;
  }
  return new Promise(resolve => canvas.toBlob(resolve, 'image/png'));
}
