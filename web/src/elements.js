// Small tools for building the page.
export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? '' : value);
  }
  node.append(...children.flat().filter(child => child !== null && child !== undefined));
  return node;
}

// Seven digits, without noise: what a person compares with a CSV file.
export function number(value, digits = 7) {
  if (value === null || value === undefined || Number.isNaN(value)) return '–';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e-4 && size < 1e7) return String(Number(value.toPrecision(digits)));
  return value.toExponential(digits - 1).replace(/\.?0+e/, 'e').replace('e+', 'e');
}

// N*m and m/s^2 as people write them.
export function unitText(unit) {
  return (unit || '').replace(/\^2/g, '²').replace(/\*| (?=[a-z])/g, '·').replace(/^1$/, '');
}

export function storedSetting(name, value) {
  try {
    if (value !== undefined) localStorage.setItem(`stiction.${name}`, value);
    return localStorage.getItem(`stiction.${name}`);
  } catch {
    return null; // a page from a file may not store anything
  }
}
