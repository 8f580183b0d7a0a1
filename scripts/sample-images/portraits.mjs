import {
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

const WIDTH = 384;
const HEIGHT = 448;

function backdrop(from, to) {
  return (
    fade('back', 0, 0, WIDTH, HEIGHT, [lighter(from, 0.18), from, darker(from, 0.3)]) +
    glow('halo', 192, 190, 210, to, 0.75) +
    repeat(11, (i) =>
      circle(192, 190, 150 + i * 22, 'none', `stroke="${to}" stroke-opacity="0.12" stroke-width="2"`),
    )
  );
}

function eyes(skin, iris, { lid = 0, y = 204 }) {
  const one = (x) =>
    ellipse(x, y, 13, 8.5 - lid, '#fbf7ee') +
    circle(x, y, 7 - lid * 0.4, iris) +
    circle(x, y, 3.4, '#17181c') +
    circle(x + 2.2, y - 2.6, 1.8, '#ffffff') +
    line(`M${x - 15} ${y - 1} Q${x} ${y - 13 + lid * 1.4} ${x + 15} ${y - 1}`, darker(skin, 0.7), 3.2);
  return one(160) + one(224);
}

function features(skin, look) {
  const brow = (x, tilt) =>
    line(`M${x - 17} ${184 + tilt} Q${x} ${175} ${x + 17} ${184 - tilt}`, look.brow, look.browWidth ?? 5);
  const smile = look.smile ?? 4;
  return (
    ellipse(148, 232, 17, 10, '#d9604a', 'opacity="0.22"') +
    ellipse(236, 232, 17, 10, '#d9604a', 'opacity="0.22"') +
    eyes(skin, look.iris, look) +
    brow(160, look.tilt ?? 2) +
    brow(224, -(look.tilt ?? 2)) +
    line('M194 208 Q202 232 190 238 Q186 239 182 236', darker(skin, 0.34), 3) +
    line(`M170 262 Q192 ${262 + smile * 2} 214 262`, mix(darker(skin, 0.35), '#8c2f2a', 0.45), 4) +
    line('M184 277 q8 4 16 0', darker(skin, 0.22), 2.4)
  );
}

/** A bust: hair behind, shoulders, neck, head with a shaded side, face, hair in front, and what the character wears. */
function bust(look) {
  const { skin, coat, wide = 1 } = look;
  const head = `M192 122 C${192 + 62 * wide} 122 ${192 + 68 * wide} 172 ${192 + 64 * wide} 212 C${192 + 60 * wide} 268 ${192 + 30 * wide} 306 192 306 C${192 - 30 * wide} 306 ${192 - 60 * wide} 268 ${192 - 64 * wide} 212 C${192 - 68 * wide} 172 ${192 - 62 * wide} 122 192 122 Z`;
  const half = `M192 122 C${192 + 62 * wide} 122 ${192 + 68 * wide} 172 ${192 + 64 * wide} 212 C${192 + 60 * wide} 268 ${192 + 30 * wide} 306 192 306 Q236 220 192 122 Z`;
  const shoulders = `M${192 - 150 * wide} 448 Q${192 - 142 * wide} 356 ${192 - 56} 338 L192 362 L248 338 Q${192 + 142 * wide} 356 ${192 + 150 * wide} 448 Z`;
  return (
    (look.behind ?? '') +
    path(shoulders, coat) +
    path(`M192 362 L248 338 Q${192 + 142 * wide} 356 ${192 + 150 * wide} 448 H192 Z`, darker(coat, 0.22)) +
    path('M160 280 V344 Q192 376 224 344 V280 Z', darker(skin, 0.2)) +
    ellipse(192 - 65 * wide, 216, 11, 17, darker(skin, 0.1)) +
    ellipse(192 + 65 * wide, 216, 11, 17, darker(skin, 0.25)) +
    path(head, skin) +
    path(half, darker(skin, 0.3), 'opacity="0.35"') +
    features(skin, look) +
    (look.front ?? '')
  );
}

const portrait = (from, to, look) => picture(WIDTH, HEIGHT, backdrop(from, to) + bust(look));

/** A long scarf wound round the neck, one turn above the other, with an end hanging down. */
const scarf = (color, turns) =>
  repeat(turns, (i) => {
    const y = 364 - i * (44 / turns);
    return path(
      `M128 ${y} Q192 ${y + 34} 256 ${y} Q262 ${y + 14} 252 ${y + 20} Q192 ${y + 50} 132 ${y + 20} Q122 ${y + 12} 128 ${y} Z`,
      i % 2 ? color : lighter(color, 0.12),
    );
  }) +
  path('M216 384 L248 374 L262 448 H222 Z', lighter(color, 0.06)) +
  line('M228 432 h28 M225 418 h29', lighter(color, 0.5), 3);

export function mira([navy, bone, skin, lamp]) {
  const hair = '#3a2a24';
  return portrait(mix(navy, '#5f86a8', 0.55), lamp, {
    skin,
    coat: '#6d5b4d',
    iris: '#5F7382',
    brow: hair,
    tilt: -2,
    smile: 5,
    behind: path('M116 250 Q98 120 192 98 Q286 120 268 250 Q276 306 262 330 H122 Q108 306 116 250 Z', hair),
    front:
      path(
        'M124 206 Q116 110 196 104 Q272 108 260 206 Q254 158 214 146 Q178 170 136 164 Q128 184 124 206 Z',
        hair,
      ) +
      line('M150 132 Q190 112 236 132', lighter(hair, 0.25), 3) +
      line('M150 172 l10 14', skin, 3.5) +
      rect(252, 186, 34, 8, bone, 'transform="rotate(-28 252 186)"') +
      scarf(navy, 4),
  });
}

export function ilse([stone, navy, skin, light]) {
  const hair = '#9a938a';
  return portrait(darker(navy, 0.15), light, {
    skin,
    coat: '#b98f2f',
    iris: '#5F7382',
    brow: '#7d766e',
    lid: 2,
    smile: 4,
    tilt: 3,
    behind: path('M112 448 Q86 250 112 180 Q128 88 192 84 Q256 88 272 180 Q298 250 272 448 Z', '#c79a34'),
    front:
      path(
        'M126 200 Q122 118 192 112 Q262 118 258 200 Q246 158 220 140 L206 158 L188 136 L166 160 L152 146 Q134 168 126 200 Z',
        hair,
      ) +
      path(
        'M112 190 Q122 92 192 84 Q262 92 272 190 Q280 260 264 330 Q262 200 246 152 Q226 112 192 110 Q158 112 138 152 Q122 200 120 330 Q104 260 112 190 Z',
        '#d7ab42',
      ) +
      line('M146 214 l-12 4 M238 214 l12 4 M146 220 l-10 7', darker(skin, 0.3), 2) +
      line('M192 366 V448', darker('#b98f2f', 0.4), 3) +
      circle(180, 396, 5, stone) +
      circle(180, 428, 5, stone),
  });
}

export function oda([plum, parchment, skin, bronze]) {
  const hair = '#f1ece4';
  return portrait(mix(plum, parchment, 0.35), parchment, {
    skin,
    coat: plum,
    wide: 1.1,
    iris: '#8A6B3D',
    brow: '#d8d0c4',
    lid: 1.5,
    smile: 8,
    tilt: 3,
    behind: circle(192, 108, 40, hair) + path('M112 230 Q104 112 192 104 Q280 112 272 230 Z', hair),
    front:
      path('M130 198 Q120 122 192 116 Q264 122 254 198 Q248 160 192 146 Q134 160 122 208 Z', hair) +
      line('M168 100 q24 -22 48 0', darker(hair, 0.15), 3) +
      line(
        'M140 246 q4 14 14 20 M244 246 q-4 14 -14 20 M142 216 l-12 5 M242 216 l12 5',
        darker(skin, 0.28),
        2.4,
      ) +
      scarf(mix('#243B5A', plum, 0.15), 6) +
      circle(192, 424, 10, bronze) +
      path('M186 424 q6 -14 12 0 z', lighter(bronze, 0.5)),
  });
}

export function tobin([rust, mud, skin, glass]) {
  const hair = '#221d1c';
  const lapel =
    path('M136 346 L188 448 H120 Z', darker(mud, 0.3)) + path('M248 346 L196 448 H264 Z', darker(mud, 0.42));
  return portrait(mix(glass, '#eef3ea', 0.15), '#fdf3d8', {
    skin,
    coat: mud,
    wide: 0.92,
    iris: '#5E7352',
    brow: hair,
    smile: 9,
    tilt: 1,
    behind: repeat(9, (i) => circle(134 + i * 14.5, 138 - Math.sin((i / 8) * Math.PI) * 34, 23, hair)),
    front:
      repeat(8, (i) =>
        circle(
          138 + i * 15.5,
          142 - Math.sin((i / 7) * Math.PI) * 22,
          15,
          i % 2 ? hair : lighter(hair, 0.08),
        ),
      ) +
      lapel +
      path('M154 336 Q192 374 230 336 L236 356 Q192 396 148 356 Z', rust) +
      path('M186 376 l-14 44 l24 -10 l10 -34 z', darker(rust, 0.15)) +
      rect(190, 263, 4, 5, '#fbf7ee') +
      line('M130 418 h16 M240 418 h16', lighter(mud, 0.5), 4) +
      circle(150, 398, 4, '#c9a24b') +
      circle(236, 398, 4, '#c9a24b'),
  });
}

export function kaethe([brick, white, skin, green]) {
  const hair = '#b0562c';
  const bun = (x) =>
    circle(x, 150, 30, hair) +
    line(`M${x - 18} 142 q18 -16 36 0 M${x - 18} 156 q18 -16 36 0`, darker(hair, 0.2), 3);
  return portrait(mix(brick, '#e8b04b', 0.45), '#ffe9b8', {
    skin,
    coat: green,
    wide: 1.16,
    iris: '#5B4A3A',
    brow: darker(hair, 0.2),
    smile: 12,
    tilt: 2,
    behind: bun(112) + bun(272),
    front:
      path('M120 204 Q120 118 192 114 Q264 118 264 204 Q248 154 192 138 Q136 154 120 204 Z', hair) +
      line('M192 116 V140', darker(hair, 0.25), 3) +
      line('M182 120 Q146 130 130 170 M202 120 Q238 130 252 168', '#e6d6c6', 5) +
      line(
        'M138 248 q4 16 16 24 M246 248 q-4 16 -16 24 M138 214 l-12 4 M138 221 l-10 7 M246 214 l12 4 M246 221 l10 7 M168 296 Q192 306 216 296',
        darker(skin, 0.25),
        2.4,
      ) +
      path('M136 352 L150 448 H234 L248 352 Q192 392 136 352 Z', white) +
      line('M136 352 L120 330 M248 352 L264 330', white, 12) +
      line('M172 420 v-24 q0 -14 13 -14 q11 0 11 10 q0 8 -8 10 q12 2 12 11 q0 9 -14 8', brick, 4.5) +
      line('M258 186 q16 -18 14 -42', '#5c7f45', 4) +
      repeat(5, (i) => circle(262 + i * 3, 178 - i * 9, 4.5, i % 2 ? '#8fae6b' : '#c79ac4')),
  });
}

export function haiyue([sea, red, skin, ink]) {
  const stripe = (i) => line(`M${96 + i * 18} 448 q6 -46 30 -74`, mix(sea, '#bfe0dc', 0.15 + i * 0.15), 5);
  return portrait(mix(sea, '#dfeee6', 0.62), '#fff7e0', {
    skin,
    coat: sea,
    wide: 0.98,
    iris: ink,
    brow: ink,
    browWidth: 4,
    lid: 2.2,
    smile: 5,
    tilt: 0,
    behind:
      circle(192, 94, 32, ink) +
      line('M150 82 L236 102', '#b98a3a', 5) +
      circle(148, 81, 6, red) +
      path('M116 240 Q106 112 192 104 Q278 112 268 240 Q262 270 250 272 H134 Q122 270 116 240 Z', ink),
    front:
      path(
        'M126 216 Q120 122 192 116 Q264 122 258 216 Q250 170 236 154 Q192 150 150 156 Q134 176 126 216 Z',
        ink,
      ) +
      line('M160 132 q32 -12 64 0', lighter(ink, 0.3), 3) +
      path('M150 340 L192 402 L234 340 L246 352 L192 426 L138 352 Z', lighter(sea, 0.7)) +
      line('M192 426 V448', lighter(sea, 0.7), 4) +
      line('M154 342 Q160 400 214 414', red, 3) +
      circle(222, 416, 14, '#cfe3e6') +
      circle(222, 416, 14, 'none', 'stroke="#b98a3a" stroke-width="5"') +
      line('M214 412 l6 -6', '#ffffff', 3) +
      repeat(2, stripe),
  });
}

export function silt([pine, mist, skin, pale]) {
  const hair = '#5a574f';
  const weave = repeat(
    12,
    (i) =>
      line(`M${40 + i * 27} 448 l46 -104`, lighter(pine, 0.22), 1.6, 'opacity="0.6"') +
      line(`M${20 + i * 30} 360 l60 88`, darker(pine, 0.3), 1.6, 'opacity="0.6"'),
  );
  return portrait(mix(mist, pine, 0.35), pale, {
    skin,
    coat: pine,
    wide: 0.86,
    iris: '#9FB8C4',
    brow: hair,
    browWidth: 8,
    lid: 2.5,
    smile: 1,
    tilt: 4,
    behind: path(
      'M128 320 Q106 130 192 106 Q278 130 256 320 Q250 350 236 352 L150 352 Q134 350 128 320 Z',
      hair,
    ),
    front:
      `<clipPath id="coat"><path d="M63 448 Q70 356 136 338 L192 362 L248 338 Q314 356 321 448 Z"/></clipPath><g clip-path="url(#coat)">${weave}</g>` +
      path(
        'M134 226 Q140 346 192 360 Q244 346 250 226 Q244 258 222 250 Q192 240 162 250 Q140 258 134 226 Z',
        hair,
      ) +
      line('M172 262 Q192 256 212 262', '#8c5a4c', 4) +
      path(
        'M132 196 Q128 118 192 112 Q256 118 252 196 Q240 150 192 140 Q144 150 132 196 Z',
        lighter(hair, 0.06),
      ) +
      line('M170 280 q4 40 10 60 M192 276 v72 M214 280 q-4 40 -10 60', lighter(hair, 0.25), 2.5) +
      path('M136 350 L182 448 H160 L112 362 Z', darker(pine, 0.35)) +
      path('M248 350 L202 448 H224 L272 362 Z', darker(pine, 0.45)),
  });
}
