import {
  chance,
  circle,
  darker,
  ellipse,
  fade,
  glow,
  group,
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

const WIDTH = 512;
const HEIGHT = 320;
const scene = (content) => picture(WIDTH, HEIGHT, content);

/** A narrow house with a pointed roof; its lit windows come from `random`. */
function house(random, { x, base, width, height, wall, roof, lamp }) {
  const window = (col, row) => {
    const lit = random() < 0.55;
    return rect(
      x + width * (0.2 + col * 0.38),
      base - height + 8 + row * 13,
      width * 0.22,
      7,
      lit ? lamp : darker(wall, 0.45),
    );
  };
  const rows = Math.max(1, Math.floor((height - 6) / 13));
  return (
    rect(x, base - height, width, height, wall) +
    rect(x + width * 0.72, base - height, width * 0.28, height, darker(wall, 0.16)) +
    path(
      `M${x - 2} ${base - height} L${x + width / 2} ${base - height - width * 0.7} L${x + width + 2} ${base - height} Z`,
      roof,
    ) +
    repeat(rows, (row) => window(0, row) + window(1, row))
  );
}

/** Terraces in a white cliff, houses, cranes over nothing, a zigzag stair with lamps. */
export function harrowQuay([chalk, slate, lamp, brick]) {
  const random = chance('harrow_quay');
  const shade = mix(chalk, slate, 0.28);
  const terrace = (i) => {
    const base = 92 + i * 46;
    const left = 150 - i * 22;
    const roofs = [brick, mix(brick, slate, 0.5), slate];
    const row = repeat(9, (k) => {
      const width = 20 + random() * 12;
      return house(random, {
        x: left + 24 + k * 37,
        base,
        width,
        height: 18 + random() * 22,
        wall: mix(chalk, lamp, random() * 0.35),
        roof: roofs[(k + i) % 3],
        lamp,
      });
    });
    return (
      path(`M${left} ${base} H512 V${base + 46} H${left - 22} Z`, i % 2 ? shade : chalk) +
      row +
      rect(left, base, 512, 3, darker(shade, 0.2))
    );
  };
  const crane = (x, y) =>
    line(
      `M${x} ${y} l-6 -30 l-48 -14 M${x - 6} ${y - 30} l10 18 M${x - 54} ${y - 44} v34`,
      darker(slate, 0.35),
      3,
    ) + rect(x - 58, y - 12, 8, 7, brick);
  const stair = 'M128 262 L214 226 L150 184 L232 146 L180 104 L236 66';
  return scene(
    fade('sky', 0, 0, WIDTH, 230, ['#8fb3c9', '#cfdfe2', '#fbe7c3']) +
      ridge(random, { width: WIDTH, bottom: 262, y: 214, swing: 3, steps: 6, fill: '#c9b48f' }) +
      rect(0, 214, 200, 106, '#cdb893') +
      repeat(9, (i) => line(`M0 ${226 + i * 11} q40 -5 ${90 - i * 5} 0`, '#a99473', 1.5)) +
      path('M190 56 Q300 34 512 40 V320 H40 L64 262 Q120 150 190 56 Z', shade) +
      repeat(4, terrace) +
      path('M0 292 Q60 276 150 284 T330 278 T512 284 V320 H0 Z', '#bfa87f') +
      repeat(5, (i) => line(`M${30 + i * 96} ${296 + (i % 3) * 7} q26 -6 52 0`, '#a48f6b', 1.6)) +
      repeat(4, (i) => path(`M${196 + i * 82} 279 v-22 q13 -16 26 0 v22 z`, darker(slate, 0.15))) +
      path('M182 60 Q300 32 512 38 V54 Q300 50 178 72 Z', '#8fa65a') +
      house(random, {
        x: 316,
        base: 46,
        width: 22,
        height: 36,
        wall: slate,
        roof: darker(slate, 0.3),
        lamp,
      }) +
      line(stair, darker(slate, 0.1), 7) +
      line(stair, lighter(chalk, 0.5), 4.5, 'stroke-dasharray="1.5 4"') +
      crane(146, 102) +
      crane(122, 148) +
      crane(104, 192) +
      [
        [128, 262],
        [214, 226],
        [150, 184],
        [232, 146],
        [180, 104],
      ]
        .map(([x, y], i) => glow(`g${i}`, x, y - 6, 17, lamp) + circle(x, y - 6, 2.6, '#fff3cf'))
        .join(''),
  );
}

/** A stone tower at dusk with one round window, and the scaffolding of somebody's cousin. */
export function bellHouse([slate, bronze, lamp, night]) {
  const random = chance('bell_house');
  const wall = mix(slate, '#c9c2b2', 0.25);
  const course = (i) =>
    line(
      `M${214 + ((i * 13) % 17)} ${96 + i * 15} h${22 + random() * 20} m14 0 h${10 + random() * 14}`,
      darker(wall, 0.2),
      1.5,
    );
  return scene(
    fade('sky', 0, 0, WIDTH, HEIGHT, [night, mix(night, '#7d5a78', 0.6), '#e39f72', '#f6d49b']) +
      stars(random, { width: WIDTH, height: 110, count: 45, fill: '#fdf6e3' }) +
      circle(404, 70, 25, '#f7ecd0') +
      circle(395, 64, 23, mix(night, '#7d5a78', 0.3)) +
      ridge(random, {
        width: WIDTH,
        bottom: HEIGHT,
        y: 262,
        swing: 10,
        steps: 5,
        fill: mix(night, '#7d5a78', 0.35),
      }) +
      path('M204 292 L212 84 H300 L308 292 Z', wall) +
      path('M268 84 H300 L308 292 H272 Z', darker(wall, 0.32)) +
      repeat(13, course) +
      rect(202, 74, 108, 12, darker(slate, 0.3)) +
      repeat(3, (i) =>
        path(`M${218 + i * 28} 74 V44 q10 -14 20 0 V74 Z`, i === 1 ? '#2a2530' : darker(slate, 0.1)),
      ) +
      path('M244 70 q2 -22 12 -24 q10 2 12 24 z', bronze) +
      rect(241, 68, 30, 4, darker(bronze, 0.2)) +
      path('M198 46 L256 6 L314 46 Z', darker(slate, 0.45)) +
      line('M256 8 v-8', bronze, 3) +
      glow('window', 256, 132, 54, lamp, 0.9) +
      circle(256, 132, 16, lamp) +
      circle(256, 132, 16, 'none', `stroke="${darker(slate, 0.4)}" stroke-width="4"`) +
      line('M240 132 h32 M256 116 v32', darker(slate, 0.4), 2) +
      line(
        'M318 292 V92 M344 292 V92 M312 120 h40 M312 164 h40 M312 208 h40 M312 252 h40 M318 120 l26 44 M318 208 l26 44',
        '#6b4a33',
        3.5,
      ) +
      path('M240 292 v-34 q16 -22 32 0 v34 z', '#4b3326') +
      circle(266, 276, 2, bronze) +
      ridge(random, { width: WIDTH, bottom: HEIGHT, y: 292, swing: 5, steps: 7, fill: darker(night, 0.4) }) +
      group(
        rect(360, 268, 7, 24, darker(night, 0.2)) +
          circle(363.5, 264, 5, darker(night, 0.2)) +
          line('M372 258 v34', darker(night, 0.2), 2),
      ) +
      glow('torch', 372, 258, 20, lamp) +
      circle(372, 258, 2.5, '#fff3cf'),
  );
}

/** An inn built across a stair, at night, with every window warm. */
export function eelAndAnchor([brick, lamp, dark, bone]) {
  const random = chance('eel_and_anchor');
  const pane = (x, y) =>
    glow(`p${x}${y}`, x + 11, y + 13, 34, lamp, 0.55) +
    rect(x, y, 22, 26, lamp) +
    line(`M${x + 11} ${y} v26 M${x} ${y + 13} h22`, darker(dark, 0.2), 2.4);
  const step = (i) =>
    rect(20 + i * 20, 316 - i * 11, 512 - i * 20, 12, i % 2 ? mix(bone, dark, 0.5) : mix(bone, dark, 0.42));
  const beam = (d) => line(d, dark, 6);
  const puff = (i) =>
    circle(352 + i * 9 + random() * 6, 46 - i * 12, 8 + i * 3, bone, `opacity="${0.3 - i * 0.05}"`);
  return scene(
    fade('sky', 0, 0, WIDTH, HEIGHT, ['#151c2e', '#243050', '#4a4c66']) +
      stars(random, { width: WIDTH, height: 150, count: 60, fill: '#fdf6e3' }) +
      path('M300 0 H512 V320 H220 Q290 150 300 0 Z', mix('#4a4c66', bone, 0.14)) +
      repeat(5, puff) +
      rect(340, 56, 22, 50, darker(brick, 0.2)) +
      repeat(14, step) +
      rect(150, 118, 236, 118, mix(bone, lamp, 0.18)) +
      rect(300, 118, 86, 118, mix(bone, dark, 0.18)) +
      path('M132 122 L186 62 H354 L404 122 Z', brick) +
      path('M300 62 H354 L404 122 H318 Z', darker(brick, 0.2)) +
      repeat(5, (i) => line(`M${150 + i * 5} ${112 - i * 11} h${238 - i * 16}`, darker(brick, 0.25), 1.5)) +
      beam(
        'M152 120 V236 M384 120 V236 M152 176 H384 M226 120 V176 M306 120 V236 M152 176 l74 -54 M384 176 l-78 -54',
      ) +
      pane(176, 140) +
      pane(254, 138) +
      pane(334, 140) +
      pane(328, 192) +
      pane(168, 190) +
      path('M222 238 v-42 q22 -26 44 0 v42 z', darker(dark, 0.1)) +
      path('M228 238 v-40 q16 -18 32 0 v40 z', lamp) +
      glow('door', 244, 226, 74, lamp, 0.7) +
      line('M150 138 h-38', dark, 4) +
      path('M96 142 h32 v36 h-32 z', darker(brick, 0.1)) +
      line('M112 148 v18 M105 160 q7 10 14 0 M107 153 h10', bone, 2.4) +
      line('M103 172 q6 -6 10 0 t9 -2', lamp, 2.4),
  );
}

/** Tents on the sea floor, the ribs of a ship, bunting, blue lights among the yellow ones. */
export function ebbMarket([glass, lamp, rust, mud]) {
  const random = chance('ebb_market');
  const tent = (x, base, size, color) => {
    const half = size / 2;
    const stripe = (i) =>
      path(
        `M${x} ${base - size * 0.86} L${x - half + i * (size / 3)} ${base - size * 0.36} h${size / 6} Z`,
        lighter(color, 0.6),
      );
    return (
      path(`M${x} ${base - size * 0.86} L${x - half} ${base - size * 0.36} H${x + half} Z`, color) +
      repeat(3, stripe) +
      rect(x - half * 0.86, base - size * 0.36, size * 0.86, size * 0.36, mix(mud, lamp, 0.35)) +
      path(`M${x - size * 0.14} ${base} v${-size * 0.26} h${size * 0.28} v${size * 0.26} z`, lamp) +
      line(`M${x} ${base - size * 0.86} v${-size * 0.16}`, darker(mud, 0.3), 2) +
      path(`M${x} ${base - size * 1.02} l${size * 0.18} 5 l${-size * 0.18} 5 z`, rust)
    );
  };
  const rib = (i) =>
    line(
      `M${96 + i * 62} 236 Q${76 + i * 62} 120 ${136 + i * 58} ${62 + Math.abs(i - 2.5) * 9}`,
      darker(mud, 0.35),
      9 - Math.abs(i - 2.5),
    );
  const row = (count, base, size, colors) =>
    repeat(count, (i) =>
      tent(
        ((i + 0.5) * WIDTH) / count + (random() - 0.5) * 18,
        base,
        size * (0.85 + random() * 0.3),
        colors[i % colors.length],
      ),
    );
  const light = (i) => {
    const [x, y] = [30 + i * 42, 236 + ((i * 29) % 60)];
    const color = i % 3 === 0 ? '#7fb4ff' : lamp;
    return glow(`m${i}`, x, y, 20, color) + circle(x, y, 2.8, lighter(color, 0.6));
  };
  return scene(
    fade('sky', 0, 0, WIDTH, 230, ['#2d4a66', '#7a7f9a', '#f0b98a']) +
      path('M0 40 Q60 60 96 120 Q120 176 128 220 H0 Z', '#d9cfc0') +
      path('M60 84 Q96 120 128 220 H70 Z', '#b5aaa2') +
      rect(0, 206, WIDTH, 114, mix(mud, lamp, 0.25)) +
      fade('floor', 0, 206, WIDTH, 114, [mix(mud, '#f0b98a', 0.45), darker(mud, 0.3)]) +
      row(9, 222, 42, [mix(glass, mud, 0.3), mix(rust, mud, 0.3), mix(lamp, mud, 0.3)]) +
      repeat(6, rib) +
      line('M30 118 Q140 170 250 96 T488 120', darker(mud, 0.4), 1.5) +
      repeat(16, (i) =>
        path(`M${40 + i * 28} ${128 + Math.sin(i * 0.95) * 16} h11 l-5.5 12 z`, [rust, glass, lamp][i % 3]),
      ) +
      row(6, 264, 70, [rust, glass, lamp]) +
      row(4, 318, 104, [glass, rust, lamp, glass]) +
      repeat(12, light),
  );
}

/** A warship on her side, a tree through the gun deck, blue light in the ports. */
export function wreck([hull, moss, glass, blue]) {
  const random = chance('wreck_of_the_patience');
  const port = (i) => {
    const [x, y] = [150 + i * 34, 196 - i * 7];
    return (
      glow(`w${i}`, x + 6, y + 6, 22, '#8fc4ff', i % 4 === 1 ? 0.2 : 0.85) +
      rect(x, y, 13, 12, i % 4 === 1 ? darker(hull, 0.5) : '#a9d3ff', `transform="rotate(-12 ${x} ${y})"`)
    );
  };
  const leaf = () =>
    circle(
      268 + (random() - 0.5) * 120,
      66 + (random() - 0.5) * 62,
      9 + random() * 13,
      mix(moss, '#9db27a', random() * 0.6),
      'opacity="0.9"',
    );
  return scene(
    fade('sky', 0, 0, WIDTH, 236, [mix(blue, '#1f2f3f', 0.6), mix(blue, glass, 0.5), lighter(glass, 0.6)]) +
      ridge(random, { width: WIDTH, bottom: 250, y: 214, swing: 4, steps: 8, fill: mix(glass, hull, 0.35) }) +
      line('M270 190 Q262 140 268 84 M268 128 l30 -34 M266 112 l-30 -30', darker(hull, 0.2), 8) +
      repeat(26, leaf) +
      line('M330 150 L470 40 M372 96 l40 40 M410 66 l34 34', darker(hull, 0.1), 6) +
      path('M384 108 q30 8 40 46 q-34 -10 -62 -30 z', mix('#efe6d2', hull, 0.4), 'opacity="0.8"') +
      path('M66 262 Q80 196 128 176 Q250 134 398 104 L446 128 Q440 232 380 270 Z', hull) +
      path('M66 262 Q82 222 132 210 Q260 176 444 158 Q436 232 380 270 Z', darker(hull, 0.3)) +
      repeat(7, (i) =>
        line(
          `M${92 + i * 4} ${240 - i * 10} Q250 ${206 - i * 12} ${430 - i * 6} ${164 - i * 9}`,
          darker(hull, 0.5),
          1.3,
          'opacity="0.7"',
        ),
      ) +
      repeat(8, port) +
      line('M104 226 q60 -22 120 -32', lighter(moss, 0.2), 3, 'stroke-dasharray="3 7"') +
      fade('sand', 0, 252, WIDTH, 68, [mix('#b9a684', glass, 0.3), '#6b5a48']) +
      path('M40 262 Q120 240 200 258 T400 258 T512 250 V275 H0 Z', mix('#b9a684', glass, 0.25)) +
      ellipse(130, 290, 84, 8, lighter(glass, 0.4)) +
      ellipse(380, 302, 100, 9, mix(glass, blue, 0.3)) +
      rect(226, 262, 3, 13, '#2a2530') +
      circle(227.5, 260, 2.8, '#2a2530') +
      glow('lantern', 234, 266, 20, '#8fc4ff') +
      circle(234, 266, 2, '#e6f2ff'),
  );
}
