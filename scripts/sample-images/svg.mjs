/**
 * Building blocks for the sample images: everything is SVG text, and randomness comes from a seed, so that an image is
 * always the same.
 */

/** A repeatable source of numbers in [0, 1) from a string (FNV-1a, then mulberry32). */
export function chance(seed) {
  let state = 2166136261;
  for (const char of seed) state = Math.imul(state ^ char.charCodeAt(0), 16777619);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const channels = (hex) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));

/** The colour at `share` (0 to 1) of the way from one hex colour to another. */
export function mix(from, to, share) {
  const target = channels(to);
  const mixed = channels(from).map((value, i) => Math.round(value + (target[i] - value) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

export const darker = (hex, share) => mix(hex, '#10141c', share);
export const lighter = (hex, share) => mix(hex, '#fffaf0', share);
const round = (value) => Math.round(value * 10) / 10;
export const repeat = (count, draw) => Array.from({ length: count }, (_, i) => draw(i)).join('');

export const rect = (x, y, width, height, fill, more = '') =>
  `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" fill="${fill}" ${more}/>`;
export const circle = (x, y, radius, fill, more = '') =>
  `<circle cx="${round(x)}" cy="${round(y)}" r="${round(radius)}" fill="${fill}" ${more}/>`;
export const ellipse = (x, y, rx, ry, fill, more = '') =>
  `<ellipse cx="${round(x)}" cy="${round(y)}" rx="${round(rx)}" ry="${round(ry)}" fill="${fill}" ${more}/>`;
export const path = (d, fill, more = '') => `<path d="${d}" fill="${fill}" ${more}/>`;
export const line = (d, stroke, width, more = '') =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round" ${more}/>`;
export const group = (content, more = '') => `<g ${more}>${content}</g>`;

/** A rectangle that fades from top to bottom through the given colours. */
export function fade(id, x, y, width, height, colors) {
  const stops = colors
    .map((color, i) => `<stop offset="${i / (colors.length - 1)}" stop-color="${color}"/>`)
    .join('');
  return `<linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1">${stops}</linearGradient>${rect(x, y, width, height, `url(#${id})`)}`;
}

/** A soft round light. */
export function glow(id, x, y, radius, color, strength = 0.8) {
  const stops = `<stop offset="0" stop-color="${color}" stop-opacity="${strength}"/><stop offset="1" stop-color="${color}" stop-opacity="0"/>`;
  return `<radialGradient id="${id}">${stops}</radialGradient>${circle(x, y, radius, `url(#${id})`)}`;
}

/** A smooth ridge from left to right around `y`, closed at the bottom of the image. */
export function ridge(random, { width, bottom, y, swing, steps, fill }) {
  const at = (i) => ({ x: (i * width) / steps, y: y + (random() - 0.5) * 2 * swing });
  const points = Array.from({ length: steps + 1 }, (_, i) => at(i));
  let d = `M0 ${bottom} L0 ${round(points[0].y)}`;
  for (let i = 1; i < points.length; i += 1) {
    const middle = (points[i - 1].x + points[i].x) / 2;
    d += ` C${round(middle)} ${round(points[i - 1].y)} ${round(middle)} ${round(points[i].y)} ${round(points[i].x)} ${round(points[i].y)}`;
  }
  return path(`${d} L${width} ${bottom} Z`, fill);
}

export const stars = (random, { width, height, count, fill }) =>
  repeat(count, () =>
    circle(
      random() * width,
      random() * height,
      0.5 + random() * 0.9,
      fill,
      `opacity="${round(0.3 + random() * 0.7)}"`,
    ),
  );

export const picture = (width, height, content) => ({
  width,
  height,
  svg: `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${content}</svg>`,
});
