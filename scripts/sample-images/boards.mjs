import {
  chance,
  circle,
  darker,
  ellipse,
  fade,
  glow,
  lighter,
  line,
  mix,
  path,
  picture,
  rect,
  repeat,
  ridge,
  stars,
} from './svg.mjs';

/** The coast as a chart on old paper: cliff to the west, sand to the east, a dotted way out to the light. */
export function chart([night, sea, glass, paper, lamp, rust]) {
  const random = chance('ebbmark');
  const coast =
    'M0 0 H214 C196 44 236 70 210 112 C184 150 226 176 204 216 C190 252 232 280 212 320 C204 344 214 366 206 384 H0 Z';
  const hill = (x, y, size) =>
    line(
      `M${x - size} ${y} Q${x} ${y - size * 1.1} ${x + size} ${y} M${x + size * 0.1} ${y - size * 0.5} q${size * 0.3} ${size * 0.1} ${size * 0.4} ${size * 0.4}`,
      mix(sea, night, 0.3),
      2,
    );
  const tree = (x, y) => line(`M${x} ${y} v-17 M${x} ${y - 7} l6 -6 M${x} ${y - 10} l-6 -5`, night, 2.2);
  const dune = () => {
    const [x, y] = [240 + random() * 226, 14 + random() * 352];
    return line(`M${x} ${y} q7 -5 14 0 t14 0`, mix(rust, paper, 0.5), 1.4);
  };
  const roof = (x, y) => path(`M${x} ${y} v-9 l6 -6 l6 6 v9 z`, rust);
  const compass = `<g transform="translate(446 70)">${circle(0, 0, 33, 'none', `stroke="${night}" stroke-width="1.5"`)}${repeat(4, (i) => `<g transform="rotate(${i * 90})">${path('M0 -40 L7 -7 L0 0 Z', i === 0 ? rust : night)}${path('M0 -40 L-7 -7 L0 0 Z', lighter(night, 0.55))}</g>`)}${circle(0, 0, 4, lamp)}</g>`;
  return picture(
    512,
    384,
    rect(0, 0, 512, 384, mix(paper, lamp, 0.16)) +
      glow('age', 330, 190, 280, lighter(paper, 0.6), 0.9) +
      repeat(70, dune) +
      repeat(4, (i) =>
        path(
          coast,
          'none',
          `transform="translate(${22 - i * 6} 0)" stroke="${glass}" stroke-opacity="${0.2 + i * 0.15}" stroke-width="3"`,
        ),
      ) +
      path(coast, mix(glass, paper, 0.55)) +
      path(coast, 'none', `stroke="${night}" stroke-width="3"`) +
      line('M204 18 q16 40 -2 92 M198 120 q18 40 -4 92 M190 228 q22 44 8 90', lighter(paper, 0.8), 6) +
      hill(44, 66, 20) +
      hill(86, 52, 26) +
      hill(64, 110, 24) +
      hill(38, 330, 22) +
      hill(92, 350, 26) +
      hill(126, 302, 18) +
      hill(120, 96, 18) +
      repeat(5, (i) => line(`M${30 + i * 15} 220 q20 -30 44 -34`, mix(sea, paper, 0.45), 2)) +
      roof(160, 176) +
      roof(174, 170) +
      roof(168, 190) +
      roof(182, 186) +
      path('M150 162 v-26 l7 -9 l7 9 v26 z', night) +
      circle(157, 141, 3, lamp) +
      repeat(16, (i) => tree(262 + (i % 6) * 19 + random() * 8, 64 + Math.floor(i / 6) * 22 + random() * 6)) +
      ellipse(276, 226, 40, 24, mix(lamp, paper, 0.4)) +
      repeat(5, (i) => path(`M${248 + i * 13} ${230 + (i % 2) * 9} l7 -15 l7 15 z`, i % 2 ? rust : sea)) +
      path('M330 268 q28 16 56 -4 q-4 24 -28 24 q-22 0 -28 -20 z', darker(rust, 0.35)) +
      line('M352 268 l12 -30 M372 266 l12 -22', darker(rust, 0.35), 3) +
      path('M430 288 l3 -34 h10 l3 34 z', lighter(paper, 0.7), `stroke="${night}" stroke-width="2"`) +
      circle(438, 250, 6, lamp) +
      repeat(8, (i) =>
        line(
          `M438 250 l${Math.round(Math.cos(i * 0.785) * 20)} ${Math.round(Math.sin(i * 0.785) * 20)}`,
          lamp,
          2,
        ),
      ) +
      ellipse(438, 292, 26, 6, mix(night, paper, 0.4)) +
      line(
        'M192 196 Q226 206 246 222 M308 234 Q330 240 342 262 M386 272 Q408 282 424 290',
        rust,
        3,
        'stroke-dasharray="2 8"',
      ) +
      compass +
      line('M262 346 q22 -20 44 0 q22 20 44 0 q18 -14 30 -2 q10 12 -4 16 M284 352 q4 10 14 8', sea, 5) +
      circle(260, 346, 6, sea) +
      rect(7, 7, 498, 370, 'none', `stroke="${night}" stroke-width="2.5"`) +
      rect(13, 13, 486, 358, 'none', `stroke="${night}" stroke-width="1"`),
  );
}

/** A small figure on an endless stair under a bell that has no tongue. */
export function keyArt([night, sea, lamp, bone]) {
  const random = chance('before_the_return');
  const step = (i) => {
    const [x, y] = [-20 + i * 21, 330 - i * 9];
    return (
      rect(x, y, 600, 300, mix(bone, night, 0.62 - i * 0.011)) +
      rect(x, y, 600, 2.5, mix(bone, lamp, 0.3), 'opacity="0.6"') +
      rect(x, y, 1.5, 9, darker(night, 0.2), 'opacity="0.5"')
    );
  };
  const bell = 'M206 0 C206 40 196 84 164 104 H348 C316 84 306 40 306 0 Z';
  return picture(
    512,
    320,
    fade('sky', 0, 0, 512, 320, [night, mix(night, sea, 0.7), mix(sea, lamp, 0.45), lighter(lamp, 0.35)]) +
      stars(random, { width: 512, height: 130, count: 70, fill: '#fdf6e3' }) +
      glow('low', 96, 240, 210, lighter(lamp, 0.3), 0.9) +
      ridge(random, { width: 512, bottom: 320, y: 236, swing: 3, steps: 9, fill: mix(sea, lamp, 0.35) }) +
      rect(0, 238, 512, 3, lighter(bone, 0.5), 'opacity="0.7"') +
      ridge(random, { width: 512, bottom: 320, y: 262, swing: 5, steps: 7, fill: mix(sea, night, 0.35) }) +
      repeat(15, (i) => circle(20 + i * 19, 272 + ((i * 31) % 28), 1.8, i % 4 ? lamp : '#9cc7ff')) +
      repeat(27, step) +
      path(bell, mix('#8c6a3f', night, 0.45)) +
      path('M256 0 H306 C306 40 316 84 348 104 H300 C276 84 262 40 256 0 Z', mix('#8c6a3f', night, 0.65)) +
      line('M196 66 q60 14 120 0', lamp, 2, 'opacity="0.6"') +
      ellipse(256, 104, 92, 13, darker(night, 0.2)) +
      ellipse(256, 104, 92, 13, 'none', `stroke="${mix('#8c6a3f', lamp, 0.5)}" stroke-width="4"`) +
      line('M256 100 v12 q0 7 7 5', bone, 3) +
      `<g transform="translate(0 -25)">${
        path('M236 196 q0 -20 11 -20 q12 0 12 20 l5 30 h-33 z', darker(night, 0.35)) +
        circle(247, 168, 8.5, '#d9a582') +
        path('M238 167 q0 -11 10 -11 q10 1 9 11 q-8 -5 -19 0 z', darker(night, 0.3)) +
        path('M237 177 q10 6 21 0 v6 q-10 6 -21 0 z', '#5c86c4') +
        path('M240 181 q-22 2 -40 -8 q-18 -8 -34 2 l3 7 q14 -8 30 0 q20 10 42 6 z', '#5c86c4') +
        line('M243 226 v10 M253 226 v6', darker(night, 0.5), 4)
      }</g>`,
  );
}

/** The palette of the style bible, each colour on a card with what it is for. */
export function paletteBoard(colors) {
  const sign = [
    (x) => line(`M${x - 16} 196 q8 -9 16 0 t16 0`, '#efe6d2', 3),
    (x) => circle(x, 194, 10, 'none', 'stroke="#efe6d2" stroke-width="3"'),
    (x) => path(`M${x} 182 l11 12 l-11 12 l-11 -12 z`, '#ffffff', 'opacity="0.8"'),
    (x) => rect(x - 11, 186, 22, 16, '#b79b6c', 'rx="5"'),
    (x) => path(`M${x} 180 q11 14 0 24 q-11 -10 0 -24 z`, '#fff6dd'),
    (x) => line(`M${x - 9} 204 l14 -18 m-6 -5 l12 10`, '#efe6d2', 4),
    (x) => line(`M${x - 12} 202 h24 M${x - 9} 195 h18 M${x - 5} 188 h10`, '#efe6d2', 3),
  ];
  const card = (color, i) => {
    const x = 26 + i * 66;
    const tilt = [-2, 1.2, -0.8, 1.6, -1.4, 0.8, 2][i];
    return `<g transform="rotate(${tilt} ${x + 32} 160)">${rect(x + 3, 65, 64, 200, '#2a2118', 'rx="5" opacity="0.35"')}${rect(x, 60, 64, 200, '#fbf7ee', 'rx="5"')}${rect(x + 6, 66, 52, 150, color)}${rect(x + 6, 66, 52, 34, lighter(color, 0.3))}${rect(x + 6, 100, 52, 34, lighter(color, 0.12))}${sign[i](x + 32)}${line(`M${x + 12} 232 h40 M${x + 12} 244 h26`, '#b3a893', 3)}</g>`;
  };
  return picture(
    512,
    320,
    fade('desk', 0, 0, 512, 320, ['#8a6a4a', '#6b4f36']) +
      repeat(9, (i) =>
        line(`M0 ${20 + i * 36} q130 ${6 - (i % 3) * 5} 256 0 t256 0`, '#5a412c', 1.5, 'opacity="0.6"'),
      ) +
      glow('lamp', 380, 40, 260, '#ffe2a6', 0.45) +
      colors.map(card).join('') +
      line('M40 292 L250 284', '#d9a441', 9) +
      path('M250 279.500 l16 4 l-15 5.500 z', '#fbe7c3') +
      path('M261 282 l5 1.500 l-5 2 z', '#26231f'),
  );
}
