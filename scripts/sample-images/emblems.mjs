import { circle, darker, ellipse, glow, lighter, line, mix, path, picture, rect, repeat } from './svg.mjs';

const SIZE = 320;
const MIDDLE = SIZE / 2;

const around = (count, radius, draw) =>
  repeat(count, (i) => {
    const angle = (i / count) * Math.PI * 2 - Math.PI / 2;
    return draw(
      MIDDLE + Math.cos(angle) * radius,
      MIDDLE + Math.sin(angle) * radius,
      i,
      (angle * 180) / Math.PI,
    );
  });

function roundel(field, rim, content) {
  const studs = around(22, 141, (x, y) => circle(x, y, 4, lighter(rim, 0.35)));
  return picture(
    SIZE,
    SIZE,
    rect(0, 0, SIZE, SIZE, lighter(rim, 0.72)) +
      circle(MIDDLE, MIDDLE + 4, 154, darker(field, 0.4), 'opacity="0.25"') +
      circle(MIDDLE, MIDDLE, 152, rim) +
      studs +
      circle(MIDDLE, MIDDLE, 130, darker(field, 0.25)) +
      circle(MIDDLE, MIDDLE, 125, field) +
      content,
  );
}

/** A bell with a wave for a tongue. */
export function wardens([navy, bone, bronze]) {
  const bell =
    'M160 66 C196 66 204 100 208 136 C212 170 222 188 236 200 H84 C98 188 108 170 112 136 C116 100 124 66 160 66 Z';
  const shade = 'M160 66 C196 66 204 100 208 136 C212 170 222 188 236 200 H180 C190 160 188 100 160 66 Z';
  return roundel(
    navy,
    bronze,
    circle(160, 60, 11, 'none', `stroke="${bone}" stroke-width="7"`) +
      path(bell, bone) +
      path(shade, mix(bone, bronze, 0.45)) +
      line('M112 150 q48 12 96 0 M118 118 q42 10 84 0', bronze, 4) +
      rect(78, 198, 164, 14, bone, 'rx="7"') +
      line('M92 236 q17 -20 34 0 t34 0 t34 0 t34 0', bone, 8) +
      line('M112 258 q12 -14 24 0 t24 0 t24 0 t24 0', mix(bone, navy, 0.4), 6),
  );
}

/** Three cubes of salt, stacked like a stair. */
export function saltwrights([bronze, salt, brick]) {
  const cube = (x, y, size) => {
    const [half, quarter] = [size, size * 0.5];
    return (
      path(`M${x} ${y} l${half} ${quarter} l${-half} ${quarter} l${-half} ${-quarter} Z`, '#ffffff') +
      path(
        `M${x - half} ${y + quarter} l${half} ${quarter} v${size} l${-half} ${-quarter} Z`,
        mix(salt, bronze, 0.22),
      ) +
      path(
        `M${x + half} ${y + quarter} l${-half} ${quarter} v${size} l${half} ${-quarter} Z`,
        mix(salt, bronze, 0.5),
      )
    );
  };
  const rays = around(16, 92, (x, y) => line(`M160 160 L${x} ${y}`, lighter(bronze, 0.18), 9));
  return roundel(
    bronze,
    brick,
    rays + circle(160, 160, 62, bronze) + cube(124, 150, 38) + cube(200, 150, 38) + cube(162, 86, 38),
  );
}

/** An open mouth, or a moon, or a bell seen from below. */
export function choir([pine, mist, pale]) {
  const reeds = around(63, 116, (x, y, i) => circle(x, y, i % 3 === 0 ? 3.4 : 2, mist));
  return roundel(
    pine,
    mist,
    reeds +
      circle(160, 160, 92, pale) +
      circle(160, 160, 80, mix(pale, mist, 0.5)) +
      circle(160, 160, 66, darker(pine, 0.35)) +
      path('M96 176 A66 66 0 0 0 224 176 Q160 210 96 176 Z', '#8f3f3c') +
      circle(160, 152, 19, pale) +
      path('M141 152 a19 19 0 0 0 38 0 z', mix(pale, mist, 0.6)) +
      line('M160 94 V133', pale, 5),
  );
}

/** A fat eel bent into a kettle handle, winking. */
export function kettlefin([red, paper, soot]) {
  const body = 'M92 176 C70 70 250 70 232 172';
  return picture(
    SIZE,
    SIZE,
    rect(0, 0, SIZE, SIZE, red) +
      repeat(20, (i) =>
        path(
          `M160 160 L${160 + 260 * Math.cos((i * Math.PI) / 10)} ${160 + 260 * Math.sin((i * Math.PI) / 10)} L${160 + 260 * Math.cos(((i + 0.5) * Math.PI) / 10)} ${160 + 260 * Math.sin(((i + 0.5) * Math.PI) / 10)} Z`,
          darker(red, 0.12),
        ),
      ) +
      circle(160, 168, 124, paper) +
      circle(160, 168, 114, 'none', `stroke="${red}" stroke-width="4"`) +
      line(body, soot, 38) +
      line(body, mix(soot, '#4f7f6b', 0.55), 29) +
      line('M102 150 C96 92 224 92 222 150', lighter('#4f7f6b', 0.45), 4, 'stroke-dasharray="3 9"') +
      path('M88 180 Q84 268 122 270 H200 Q238 268 234 180 Q160 202 88 180 Z', red) +
      path('M190 194 Q234 190 234 180 Q238 268 200 270 H178 Q194 240 190 194 Z', darker(red, 0.22)) +
      ellipse(161, 180, 74, 13, soot) +
      path('M92 206 Q58 196 52 166 L66 160 Q72 184 94 184 Z', red) +
      ellipse(230, 166, 24, 20, mix(soot, '#4f7f6b', 0.55)) +
      line('M224 160 q7 -7 13 0', paper, 4) +
      circle(246, 170, 2.2, soot) +
      line('M226 177 q12 7 22 -1', soot, 3) +
      line('M118 234 h56 M118 246 h40', paper, 5, 'stroke-dasharray="10 6"'),
  );
}

/** A ladle with a crown, or a queen with very long legs. */
export function broemmel([green, white, lamp]) {
  const steam = (x) => line(`M${x} 92 q-14 -16 0 -30 t0 -30`, mix(white, green, 0.25), 6);
  return picture(
    SIZE,
    SIZE,
    rect(0, 0, SIZE, SIZE, white) +
      path(
        'M160 14 C250 14 300 60 300 150 C300 240 240 300 160 308 C80 300 20 240 20 150 C20 60 70 14 160 14 Z',
        green,
      ) +
      path(
        'M160 26 C242 26 288 68 288 150 C288 230 234 287 160 295 C86 287 32 230 32 150 C32 68 78 26 160 26 Z',
        'none',
        `stroke="${lamp}" stroke-width="4"`,
      ) +
      steam(112) +
      steam(208) +
      line('M150 172 V262 Q150 276 136 276', white, 11) +
      line('M170 172 V262 Q170 276 184 276', white, 11) +
      path('M92 128 Q94 194 160 194 Q226 194 228 128 Z', white) +
      path('M176 128 H228 Q226 194 160 194 Q186 176 176 128 Z', mix(white, green, 0.22)) +
      ellipse(160, 128, 68, 12, lamp) +
      circle(138, 127, 5, mix(lamp, '#b4543a', 0.5)) +
      circle(176, 130, 7, mix(lamp, '#b4543a', 0.35)) +
      path('M122 110 L114 66 L140 86 L160 52 L180 86 L206 66 L198 110 Q160 120 122 110 Z', lamp) +
      circle(114, 64, 6, white) +
      circle(160, 50, 7, white) +
      circle(206, 64, 6, white) +
      circle(140, 156, 4.5, green) +
      circle(180, 156, 4.5, green) +
      line('M146 172 q14 9 28 0', green, 4) +
      glow('shine', 116, 150, 30, '#ffffff', 0.5),
  );
}
