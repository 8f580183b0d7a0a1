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
} from './svg.mjs';

const SIZE = 320;

/** A thing on a table in a pool of light. */
const still = (wall, light, content) =>
  picture(
    SIZE,
    SIZE,
    fade('wall', 0, 0, SIZE, SIZE, [darker(wall, 0.55), darker(wall, 0.25)]) +
      glow('light', 160, 140, 190, light, 0.6) +
      path('M0 252 Q160 236 320 252 V320 H0 Z', darker(wall, 0.5)) +
      ellipse(160, 266, 116, 16, '#0c0f14', 'opacity="0.4"') +
      content,
  );

export function clapper([bronze, verdigris, lamp]) {
  const random = chance('tide_clapper');
  const patch = () =>
    circle(118 + random() * 72, 168 + random() * 82, 3 + random() * 9, verdigris, 'opacity="0.5"');
  return still(
    '#3b4a57',
    lamp,
    line('M160 34 V150', darker(bronze, 0.25), 22) +
      line('M155 40 V150', lighter(bronze, 0.25), 5) +
      circle(160, 36, 19, 'none', `stroke="${bronze}" stroke-width="11"`) +
      repeat(3, (i) => rect(145, 78 + i * 26, 30, 6, darker(bronze, 0.45))) +
      path(
        'M146 138 H174 C184 168 222 186 222 224 C222 256 194 270 160 270 C126 270 98 256 98 224 C98 186 136 168 146 138 Z',
        bronze,
      ) +
      path(
        'M160 138 H174 C184 168 222 186 222 224 C222 256 194 270 160 270 C206 250 196 180 160 138 Z',
        darker(bronze, 0.35),
      ) +
      repeat(16, patch) +
      path('M186 196 Q216 202 218 228 Q214 246 194 252 Q180 226 186 196 Z', lighter(lamp, 0.45)) +
      repeat(6, (i) => line(`M188 ${206 + i * 7} l24 6`, mix(bronze, lamp, 0.5), 1.6)) +
      line('M118 208 Q124 190 138 180', lighter(bronze, 0.55), 5),
  );
}

export function notebook([navy, paper, mud]) {
  return still(
    mud,
    lighter(paper, 0.2),
    `<g transform="rotate(-9 160 170)">${rect(86, 78, 154, 188, darker(navy, 0.35), 'rx="8"')}${repeat(6, (i) => path(`M${92 + i} ${84 + i * 3} H234 V${262 - i * 2} H${92 + i} Z`, i % 2 ? paper : darker(paper, 0.14)))}` +
      `${path('M80 72 H222 Q232 72 232 84 V248 Q232 258 222 258 H80 Q70 258 70 248 V84 Q70 72 80 72 Z', navy)}${path('M70 84 Q70 72 80 72 H98 V258 H80 Q70 258 70 248 Z', darker(navy, 0.3))}` +
      `${path('M222 72 Q232 72 232 84 V104 L200 72 Z M222 258 Q232 258 232 248 V228 L200 258 Z', mud)}${rect(122, 108, 84, 46, paper, 'rx="3"')}${line('M132 122 h62 M132 133 h48 M132 144 h56', mix(mud, navy, 0.4), 2.6)}` +
      `${line('M66 190 Q150 200 240 186', lighter(navy, 0.45), 6)}${line('M150 70 Q158 160 148 262', lighter(navy, 0.4), 6)}${line('M152 194 q-22 -24 -30 -4 q4 14 30 4 q26 -26 34 -4 q-6 14 -34 4 M152 194 l-16 34 M152 194 l22 30', lighter(navy, 0.5), 5)}</g>` +
      line('M252 262 q-8 -30 8 -52 M258 240 q12 -4 14 -16 M252 232 q-12 -6 -12 -16', '#6f8a56', 4) +
      repeat(6, (i) => circle(250 + ((i * 7) % 22), 208 + i * 8, 4, '#8fae6b')),
  );
}

export function dial([brass, sea, bone]) {
  const mark = (i) =>
    `<g transform="rotate(${(i * 360) / 11} 160 150)">${rect(156.5, 60, 7, i === 9 ? 22 : 13, i === 9 ? '#c8553d' : darker(brass, 0.5), 'rx="3"')}</g>`;
  const wave = (i) =>
    line(
      `M${104 + i * 4} ${146 + i * 15} q14 -16 28 0 t28 0 t28 0 ${i < 3 ? 't20 0' : ''}`,
      mix(sea, bone, 0.2 + i * 0.16),
      4.5,
    );
  return still(
    sea,
    lighter(brass, 0.4),
    path('M142 34 h36 v22 h-36 z', brass) +
      circle(160, 24, 15, 'none', `stroke="${brass}" stroke-width="7"`) +
      ellipse(160, 260, 92, 10, '#0c0f14', 'opacity="0.35"') +
      circle(160, 150, 112, darker(brass, 0.3)) +
      circle(160, 147, 110, brass) +
      path(
        'M72 90 A108 108 0 0 1 246 86',
        'none',
        `stroke="${lighter(brass, 0.6)}" stroke-width="6" stroke-linecap="round"`,
      ) +
      circle(160, 150, 94, bone) +
      circle(160, 150, 94, 'none', `stroke="${darker(brass, 0.4)}" stroke-width="3"`) +
      circle(160, 150, 68, mix(bone, sea, 0.14)) +
      repeat(4, wave) +
      repeat(11, mark) +
      `<g transform="rotate(294.5 160 150)">${path('M160 66 L164 150 L160 176 L156 150 Z', '#22242b')}</g>` +
      circle(160, 150, 8, brass) +
      circle(158, 148, 3, lighter(brass, 0.6)),
  );
}

export function lantern([blue, pale, red]) {
  const hole = (x, y) => circle(x, y, 4.4, lighter(pale, 0.7)) + circle(x, y, 8, pale, 'opacity="0.35"');
  const letter = [
    [128, 178],
    [128, 194],
    [128, 210],
    [128, 226],
    [142, 178],
    [154, 184],
    [154, 196],
    [142, 202],
    [178, 178],
    [178, 194],
    [178, 210],
    [178, 226],
    [192, 226],
    [204, 226],
  ];
  return still(
    '#26323f',
    pale,
    line('M108 128 Q108 34 160 34 Q212 34 212 128', '#8a8f94', 6) +
      glow('flame', 160, 142, 120, '#7fb4ff', 0.8) +
      path('M160 74 C184 108 190 120 188 140 H132 C130 120 140 112 160 74 Z', blue) +
      path('M160 98 C174 120 176 128 174 142 H146 C144 128 152 120 160 98 Z', '#dcecff') +
      rect(100, 140, 120, 118, '#aeb4b8', 'rx="4"') +
      rect(184, 140, 36, 118, '#838a90', 'rx="4"') +
      rect(100, 154, 120, 8, red) +
      rect(100, 240, 120, 8, red) +
      repeat(7, (i) => line(`M${104 + i * 18} 166 v70`, '#9aa1a6', 1.4)) +
      ellipse(160, 140, 60, 12, '#cfd4d6') +
      ellipse(160, 140, 50, 8, darker(blue, 0.4)) +
      ellipse(160, 258, 60, 11, '#838a90') +
      letter.map(([x, y]) => hole(x, y)).join(''),
  );
}
