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

const bird = (x, y, size, color) =>
  line(`M${x} ${y} q${size} ${-size} ${size * 1.6} 0 q${size * 0.6} ${-size} ${size * 1.6} 0`, color, 1.6);

/** Ribbed sand with pools that hold the sky, a post with a boot, and the light far away. */
export function brineFlats([sky, sand, mud, glass]) {
  const random = chance('brine_flats');
  const pool = (x, y, rx) =>
    ellipse(x, y, rx, rx * 0.16, mix(glass, sky, 0.35)) +
    ellipse(x, y - rx * 0.02, rx * 0.8, rx * 0.1, lighter(sky, 0.45));
  const rib = (i) => {
    const y = 176 + i * i * 0.9;
    return line(
      `M0 ${y} q${60 + random() * 60} ${-4 - i * 0.5} 130 0 t130 0 t130 0 t130 0`,
      darker(sand, 0.22),
      0.8 + i * 0.16,
      'opacity="0.5"',
    );
  };
  const post =
    line('M404 262 L398 190', darker(mud, 0.4), 7) +
    path('M388 190 h13 v20 q12 2 13 9 h-26 z', darker(mud, 0.55));
  return scene(
    fade('sky', 0, 0, WIDTH, 168, [mix(sky, '#5f86a8', 0.5), sky, lighter(sky, 0.7)]) +
      glow('sun', 128, 138, 130, '#fff3cf', 0.9) +
      circle(128, 138, 17, '#fff6dd') +
      ridge(random, { width: WIDTH, bottom: 170, y: 160, swing: 4, steps: 9, fill: mix(sky, mud, 0.35) }) +
      rect(0, 166, WIDTH, 154, sand) +
      fade('sand', 0, 166, WIDTH, 154, [lighter(sand, 0.45), sand, mix(sand, mud, 0.55)]) +
      repeat(13, rib) +
      pool(150, 196, 74) +
      pool(310, 183, 46) +
      pool(240, 248, 116) +
      pool(470, 226, 60) +
      pool(40, 286, 78) +
      path('M330 164 l2 -22 h4 l2 22 z', lighter(mud, 0.7)) +
      circle(334, 141, 3, '#e8b04b') +
      post +
      repeat(7, (i) => bird(196 + i * 21, 84 + ((i * 37) % 26), 5, darker(sky, 0.5))),
  );
}

/** Trunks in mist, row behind row, and a few small lanterns. */
export function drownedForest([mist, peat, moss, pale]) {
  const random = chance('drowned_forest');
  const trunk = (x, width, color, base) => {
    const lean = (random() - 0.5) * 26;
    const branch = (y, side) =>
      line(
        `M${x + lean * 0.5} ${y} q${side * 20} -8 ${side * (30 + random() * 34)} ${-26 - random() * 26}`,
        color,
        width * 0.2,
      );
    const roots = path(
      `M${x - width * 1.5} ${base} Q${x - width * 0.4} ${base - 16} ${x} ${base - 60} Q${x + width * 0.4} ${base - 16} ${x + width * 1.5} ${base} Z`,
      color,
    );
    return (
      line(`M${x} ${base} Q${x + lean} 160 ${x + lean * 0.4} -10`, color, width) +
      branch(110, 1) +
      branch(70, -1) +
      branch(40, 1) +
      roots
    );
  };
  const row = (count, width, color, base) =>
    repeat(count, (i) =>
      trunk(((i + 0.2 + random() * 0.6) * WIDTH) / count, width * (0.8 + random() * 0.5), color, base),
    );
  const lantern = (x, y, size) =>
    glow(`l${x}`, x, y, size * 9, '#f4cf7c', 0.75) + circle(x, y, size, '#fff0c2');
  return scene(
    fade('mist', 0, 0, WIDTH, HEIGHT, [mix(mist, moss, 0.4), lighter(mist, 0.35), mix(mist, moss, 0.5)]) +
      glow('heart', 262, 190, 190, pale, 0.85) +
      row(12, 8, mix(mist, moss, 0.45), 236) +
      ellipse(256, 246, 330, 34, pale, 'opacity="0.5"') +
      row(8, 15, mix(moss, peat, 0.35), 262) +
      lantern(226, 232, 3) +
      lantern(249, 238, 3.4) +
      lantern(276, 240, 3.8) +
      lantern(308, 246, 4.4) +
      ellipse(256, 270, 360, 24, pale, 'opacity="0.35"') +
      row(4, 34, darker(peat, 0.25), 312) +
      ridge(random, { width: WIDTH, bottom: HEIGHT, y: 300, swing: 8, steps: 8, fill: darker(peat, 0.45) }),
  );
}

/** Green hills, white where the edge cuts them, with sarcastic sheep. */
export function chalkDowns([sky, grass, chalk, leaf]) {
  const random = chance('chalk_downs');
  const sheep = (x, y, size) =>
    group(
      `${ellipse(0, 0, 11, 7.5, '#fbf8ef')}${circle(-5, -4, 5, '#fbf8ef')}${circle(4, -5, 5, '#fbf8ef')}${ellipse(11, -3, 4, 3.2, '#3a3633')}${line('M-5 6 v6 M5 6 v6', '#3a3633', 1.8)}`,
      `transform="translate(${x} ${y}) scale(${size})"`,
    );
  const cloud = (x, y, size) =>
    ellipse(x, y, 44 * size, 9 * size, '#ffffff', 'opacity="0.75"') +
    ellipse(x - 12 * size, y - 7 * size, 20 * size, 10 * size, '#ffffff', 'opacity="0.75"');
  const furrow = (i) =>
    line(
      `M${20 + i * 22} 318 Q${90 + i * 15} 268 ${150 + i * 9} 232`,
      darker(leaf, 0.12),
      1.4,
      'opacity="0.45"',
    );
  return scene(
    fade('sky', 0, 0, WIDTH, 200, [sky, lighter(sky, 0.45), '#fdf6e3']) +
      cloud(120, 52, 1.1) +
      cloud(300, 34, 0.8) +
      cloud(420, 74, 1.2) +
      ridge(random, {
        width: WIDTH,
        bottom: HEIGHT,
        y: 150,
        swing: 10,
        steps: 5,
        fill: mix(grass, sky, 0.5),
      }) +
      ridge(random, {
        width: WIDTH,
        bottom: HEIGHT,
        y: 178,
        swing: 16,
        steps: 4,
        fill: mix(grass, sky, 0.2),
      }) +
      path('M300 320 L312 214 Q330 196 372 190 Q440 180 512 186 L512 320 Z', mix(chalk, sky, 0.12)) +
      path('M300 320 L312 214 Q322 204 340 199 L352 320 Z', mix(chalk, '#8fa0ac', 0.28)) +
      repeat(7, (i) =>
        line(
          `M${346 + i * 24} ${212 + (i % 3) * 12} l-3 ${44 + random() * 30}`,
          mix(chalk, '#8fa0ac', 0.45),
          1.5,
        ),
      ) +
      path('M300 216 Q330 190 380 184 Q450 172 512 178 L512 194 Q440 188 376 198 Q330 204 308 222 Z', grass) +
      path('M0 214 Q90 176 190 206 Q260 226 318 212 Q306 260 300 320 L0 320 Z', leaf) +
      repeat(9, furrow) +
      path('M0 250 Q60 236 120 262 Q190 292 230 320 L0 320 Z', mix(leaf, grass, 0.55)) +
      sheep(92, 226, 0.8) +
      sheep(128, 218, 0.7) +
      sheep(214, 240, 0.9) +
      sheep(60, 278, 1.3) +
      sheep(410, 178, 0.55) +
      repeat(26, () => circle(random() * 210, 270 + random() * 48, 1.5, '#e79ab0')),
  );
}

/** A white lighthouse on a reef at night, and its one beam. */
export function glassLight([beam, night, stone, thyme]) {
  const random = chance('glass_light');
  return scene(
    fade('sky', 0, 0, WIDTH, 240, [darker(night, 0.35), night, mix(night, thyme, 0.45)]) +
      stars(random, { width: WIDTH, height: 180, count: 90, fill: '#fdf6e3' }) +
      `<linearGradient id="beam" x1="1" y1="0" x2="0" y2="0"><stop offset="0" stop-color="${beam}" stop-opacity="0.95"/><stop offset="1" stop-color="${beam}" stop-opacity="0"/></linearGradient>` +
      path('M346 92 L0 20 L0 128 Z', 'url(#beam)') +
      rect(0, 236, WIDTH, 84, mix(night, thyme, 0.2)) +
      fade('flat', 0, 236, WIDTH, 84, [mix(night, thyme, 0.5), darker(night, 0.3)]) +
      repeat(10, (i) =>
        line(
          `M${random() * 300} ${244 + i * 7} h${60 + random() * 150}`,
          mix(thyme, night, 0.45),
          1.4,
          'opacity="0.6"',
        ),
      ) +
      path(
        'M250 262 Q284 226 322 232 Q346 214 380 228 Q430 226 470 266 Q360 284 250 262 Z',
        darker(night, 0.55),
      ) +
      path('M326 236 L334 110 H360 L370 236 Z', stone) +
      path('M348 110 H360 L370 236 H346 Z', mix(stone, night, 0.35)) +
      rect(330, 104, 34, 7, darker(stone, 0.55)) +
      rect(336, 84, 22, 20, beam) +
      path('M332 84 L347 68 L362 84 Z', darker(stone, 0.6)) +
      glow('lamp', 347, 93, 66, beam, 0.95) +
      rect(341, 150, 8, 13, '#e8b04b') +
      rect(339, 164, 12, 3, thyme) +
      circle(342, 163, 2, thyme) +
      circle(347, 162, 2.4, thyme) +
      path('M342 236 v-17 q6 -8 12 0 v17 z', darker(stone, 0.7)) +
      line('M250 262 L120 300 L60 318', mix(stone, night, 0.6), 2.5, 'stroke-dasharray="9 6"'),
  );
}
