// Colours from the style sheet, so that plots follow the theme. The series are Okabe and Ito's, which people with
// any colour vision can tell apart, and dashes help where there are more.
const names = ['series-1', 'series-2', 'series-3', 'series-4', 'series-5', 'series-6', 'series-7'];
const dashes = [[], [7, 4], [2, 3], [9, 3, 2, 3]];

export function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

export function seriesStyle(index) {
  return {stroke: () => colour(names[index % names.length]), dash: dashes[Math.floor(index / names.length) % dashes.length]};
}

export function seriesColour(index) {
  return colour(names[index % names.length]);
}
