import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { thumbHashToRGBA } from 'thumbhash';

import { cpuTimeSince } from '../../../test/support/cpu-time.ts';

import { ImageError, type ImageErrorCode, type Images, type Thumbnail } from './images.ts';

const RED = { r: 220, g: 20, b: 30 };
const BLUE = { r: 20, g: 30, b: 220 };

/** An image whose left half is red and whose right half is blue. */
export const halves = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: RED } }).composite([
    {
      input: { create: { width: Math.floor(width / 2), height, channels: 3, background: BLUE } },
      left: Math.ceil(width / 2),
      top: 0,
    },
  ]);

const crcTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value >>> 0;
});

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  let crc = 0xffffffff;
  for (const byte of body) crc = (crcTable[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  const result = Buffer.alloc(body.length + 8);
  result.writeUInt32BE(data.length, 0);
  body.copy(result, 4);
  result.writeUInt32BE((crc ^ 0xffffffff) >>> 0, body.length + 4);
  return result;
}

/** Well-formed, and only a few hundred kilobytes. */
export function pixelBomb(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, 0, 0, 0, 0], 8);
  const rows = Buffer.alloc((Math.ceil(width / 8) + 1) * height);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

export async function pixel(picture: Uint8Array, x: number, y: number): Promise<number[]> {
  const raw = await sharp(picture).extract({ left: x, top: y, width: 1, height: 1 }).raw().toBuffer();
  return [...raw];
}

const isRed = ([r = 0, , b = 0]: number[]) => r > 150 && b < 100;
const isBlue = ([r = 0, , b = 0]: number[]) => b > 150 && r < 100;

export function imagesConformance(name: string, images: Images): void {
  const refused = (bytes: Uint8Array, code: ImageErrorCode) =>
    assert.rejects(images.toJpeg(bytes, { within: 512 }), (error) => {
      assert.ok(error instanceof ImageError, String(error));
      assert.equal(error.code, code);
      return true;
    });

  describe(`images: ${name}`, () => {
    for (const format of ['jpeg', 'png', 'webp'] as const) {
      it(`makes a JPEG of ${format}, smaller, with its proportions`, async () => {
        const source = await halves(1600, 800).toFormat(format).toBuffer();
        const result = await images.toJpeg(source, { within: 512 });
        const made = await sharp(result).metadata();
        assert.deepEqual([made.format, made.width, made.height], ['jpeg', 512, 256]);
        assert.ok(isRed(await pixel(result, 10, 100)) && isBlue(await pixel(result, 500, 100)));
      });
    }

    it('does not enlarge', async () => {
      const made = await sharp(await images.toJpeg(await halves(40, 90).png().toBuffer(), { within: 512 }));
      const { width, height } = await made.metadata();
      assert.deepEqual([width, height], [40, 90]);
    });

    it('keeps a sliver at one pixel', async () => {
      const source = await sharp({ create: { width: 5000, height: 2, channels: 3, background: RED } })
        .png()
        .toBuffer();
      const { width, height } = await sharp(await images.toJpeg(source, { within: 512 })).metadata();
      assert.deepEqual([width, height], [512, 1]);
    });

    it('turns the picture upright in each of the eight orientations', async () => {
      for (let orientation = 1; orientation <= 8; orientation += 1) {
        const source = await halves(200, 100).jpeg().withMetadata({ orientation }).toBuffer();
        const result = await images.toJpeg(source, { within: 100 });
        const made = await sharp(result).metadata();
        const isTurned = orientation >= 5;
        assert.deepEqual([made.width, made.height], isTurned ? [50, 100] : [100, 50], String(orientation));
        assert.equal(made.orientation, undefined);
        const redFirst = [1, 4, 5, 6].includes(orientation);
        const first = await pixel(result, 4, 4);
        assert.ok(redFirst ? isRed(first) : isBlue(first), `${orientation}: ${first}`);
      }
    });

    it('takes no metadata along', async () => {
      const source = await halves(100, 100)
        .withExif({ IFD0: { Copyright: 'SECRET-OWNER' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
        .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">SECRET-XMP</x:xmpmeta>')
        .withIccProfile('p3')
        .jpeg()
        .toBuffer();
      assert.ok(source.includes('SECRET-OWNER') && source.includes('SECRET-XMP'));
      const result = Buffer.from(await images.toJpeg(source, { within: 512 }));
      const { exif, xmp, icc, iptc } = await sharp(result).metadata();
      assert.deepEqual([exif, xmp, icc, iptc], [undefined, undefined, undefined, undefined]);
      assert.ok(!result.includes('SECRET'));
    });

    it('puts what is transparent on white', async () => {
      const clear = { r: 0, g: 0, b: 0, alpha: 0 };
      const source = await sharp({ create: { width: 50, height: 50, channels: 4, background: clear } })
        .webp()
        .toBuffer();
      const [r = 0, g = 0, b = 0] = await pixel(await images.toJpeg(source, { within: 512 }), 20, 20);
      assert.ok(r > 250 && g > 250 && b > 250);
    });

    it('goes by the bytes: other formats and other files are refused', async () => {
      const gif = await halves(20, 20).gif().toBuffer();
      const tiff = await halves(20, 20).tiff().toBuffer();
      const svg = '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
      for (const bytes of [gif, tiff, Buffer.from(svg), Buffer.from('not a picture'), Buffer.alloc(0)])
        await refused(bytes, 'unknown_format');
    });

    it('refuses what begins as a picture and is none', async () => {
      const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
      await refused(Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(500, 7)]), 'broken');
      await refused(Buffer.concat([png, chunk('IHDR', Buffer.alloc(13)), Buffer.alloc(100)]), 'broken');
    });

    for (const format of ['jpeg', 'png', 'webp'] as const) {
      it(`refuses a ${format} that breaks off`, async () => {
        const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
        const source = await sharp({
          create: { width: 300, height: 300, channels: 3, background: RED, noise },
        })
          .toFormat(format)
          .toBuffer();
        await refused(source.subarray(0, Math.floor(source.length / 2)), 'broken');
      });
    }

    it('refuses more pixels than can be held, before it decodes them', async () => {
      const bomb = pixelBomb(20_000, 20_000);
      assert.ok(bomb.length < 100_000, `${bomb.length} bytes`);
      const started = process.cpuUsage();
      await refused(bomb, 'too_many_pixels');
      assert.ok(cpuTimeSince(started) < 2_000);
    });

    it('draws and measures a picture of 41 million pixels that is read row by row, in little memory', async (t) => {
      const folder = await mkdtemp(join(tmpdir(), 'canonry-pictures-'));
      t.after(() => rm(folder, { recursive: true }));
      const oneStrip = { compression: 'deflate', tileHeight: 5_000 };
      for (const [format, options] of [
        ['jpeg', {}],
        ['png', {}],
        ['webp', { effort: 0 }],
        ['tiff', { compression: 'jpeg' }],
        ['tiff', oneStrip],
        ['tiff', { tile: true }],
      ] as const) {
        const path = join(folder, `large.${format}`);
        await halves(8_200, 5_000).toFormat(format, options).toFile(path);
        const { width, height, hash, placeholder } = await images.measure({ path });
        assert.deepEqual([width, height, hash?.length], [8_200, 5_000, 16], format);
        assert.ok(placeholder, format);
        const [made] = await images.toThumbnails({ path }, [100]);
        assert.deepEqual([made?.width, made?.height], [100, 61], format);
        const bytes = made?.bytes ?? Buffer.alloc(0);
        assert.ok(isRed(await pixel(bytes, 10, 30)) && isBlue(await pixel(bytes, 90, 30)), format);
      }
    });

    it('refuses as many pixels of a picture that has to be held as a whole, and tells its size alone', async () => {
      const halved = halves(8_200, 5_000);
      for (const source of [
        await halved.clone().png({ progressive: true }).toBuffer(),
        await halved.clone().jpeg({ progressive: true }).toBuffer(),
        await halved.clone().webp({ lossless: true, effort: 0 }).toBuffer(),
        await halved.clone().tiff({ compression: 'jpeg', tileHeight: 5_000 }).toBuffer(),
        await halved.clone().tiff({ tile: true, tileWidth: 4_096, tileHeight: 4_096 }).toBuffer(),
        // There are few rows, but each is longer than the limit.
        pixelBomb(1_000_000, 60),
      ]) {
        await assert.rejects(images.toThumbnails(source, [100]), {
          code: 'too_many_pixels',
          message: /at most 40 million .* decoded as a whole/,
        });
        const { width, height, ...looks } = await images.measure(source);
        assert.ok(width * height > 40_000_000);
        assert.deepEqual(looks, { hash: null, placeholder: null });
      }
    });

    it('works on many at once', async () => {
      const source = await halves(600, 600).png().toBuffer();
      const results = await Promise.all(
        Array.from({ length: 10 }, () => images.toJpeg(source, { within: 64 })),
      );
      assert.equal(new Set(results.map((result) => Buffer.from(result).toString('hex'))).size, 1);
    });

    it('makes thumbnails of all sizes that are wanted: none is enlarged, and what is transparent stays so', async () => {
      const clear = { r: 0, g: 0, b: 0, alpha: 0 };
      const source = await sharp({ create: { width: 300, height: 200, channels: 4, background: clear } })
        .png()
        .toBuffer();
      const made = await images.toThumbnails(source, [60, 900]);
      assert.deepEqual(
        made.map(({ width, height }) => [width, height]),
        [
          [60, 40],
          [300, 200],
        ],
      );
      for (const { bytes } of made) assert.equal((await pixel(bytes, 20, 20))[3], 0);
      const [png] = await images.toThumbnails(source, [60], 'png');
      assert.equal((await sharp(png?.bytes).metadata()).format, 'png');
    });

    it('writes pixels as PNG', async () => {
      const pixels = { width: 2, height: 1, bytes: Uint8Array.from([9, 8, 7, 255, 0, 0, 0, 0]) };
      const png = await images.toPng(pixels);
      assert.deepEqual(await sharp(png).ensureAlpha().raw().toBuffer(), Buffer.from(pixels.bytes));
    });

    it('draws a picture from its file as from its bytes, in each format, or says what is wrong with it', async (t) => {
      const folder = await mkdtemp(join(tmpdir(), 'canonry-pictures-'));
      t.after(() => rm(folder, { recursive: true }));
      const svg =
        '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="6"><rect width="5" height="6"/></svg>';
      const png = await halves(600, 400).png().toBuffer();
      const pictures = {
        png,
        svg: Buffer.from(svg),
        broken: png.subarray(0, png.length >> 1),
        bomb: pixelBomb(20_000, 20_000),
        text: Buffer.from('no picture'),
        jpeg: await halves(600, 400).jpeg().withMetadata({ orientation: 8 }).toBuffer(),
        webp: await halves(600, 400).webp().toBuffer(),
        gif: await halves(600, 400).gif().toBuffer(),
        avif: await halves(600, 400).avif().toBuffer(),
        tiff: await halves(600, 400).tiff().toBuffer(),
      };
      const outcome = (drawn: Promise<Thumbnail[]>) =>
        drawn.then(
          ([{ width, height, bytes } = { width: 0, height: 0, bytes: new Uint8Array() }]) => ({
            ...{ width, height },
            bytes: Buffer.from(bytes).toString('base64'),
          }),
          (error: unknown) => String(error),
        );
      for (const [name, bytes] of Object.entries(pictures)) {
        // The extension names no image format: only the bytes count.
        const path = join(folder, `${name}.bin`);
        await writeFile(path, bytes);
        assert.deepEqual(
          await outcome(images.toThumbnails({ path }, [60])),
          await outcome(images.toThumbnails(bytes, [60])),
          name,
        );
      }
      await assert.rejects(images.toThumbnails({ path: join(folder, 'bomb.bin') }, [60]), {
        code: 'too_many_pixels',
      });
    });

    for (const [what, inside] of [
      ['a file', '<image width="9" height="9" href="file:///etc/passwd"/>'],
      ['a neighbour', '<image width="9" height="9" href="picture.png"/>'],
      ['an address', '<image width="9" height="9" href="http://127.0.0.1:9/picture.png"/>'],
    ] as const) {
      it(`draws an SVG that refers to ${what} without it`, async () => {
        const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${inside}</svg>`;
        const [drawn] = await images.toThumbnails(Buffer.from(svg), [32]);
        assert.equal((await pixel(drawn?.bytes ?? Buffer.alloc(0), 16, 16))[3], 0);
      });
    }

    it('refuses an SVG that includes a file, or grows beyond all measure', async () => {
      const entity = '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>';
      const svg = `${entity}<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>&x;</text></svg>`;
      await assert.rejects(images.toThumbnails(Buffer.from(svg), [32]), { code: 'broken' });
      const huge = `<svg xmlns="http://www.w3.org/2000/svg"><desc>${'x'.repeat(3_000_000)}</desc></svg>`;
      await assert.rejects(images.toThumbnails(Buffer.from(huge), [32]), { code: 'broken' });
    });

    it('measures a TIFF as it draws one', async () => {
      const [tiff, png] = [await halves(600, 300).tiff().toBuffer(), await halves(600, 300).png().toBuffer()];
      const { width, height, hash } = await images.measure(tiff);
      assert.deepEqual([width, height, hash], [600, 300, (await images.measure(png)).hash]);
    });

    it('has a placeholder of a few bytes that looks like the picture', async () => {
      for (const source of [
        await halves(600, 300).png().toBuffer(),
        await halves(600, 300).jpeg().toBuffer(),
      ]) {
        const { placeholder } = await images.measure(source);
        const hash = Buffer.from(placeholder ?? '', 'base64');
        assert.ok(hash.length < 32, `${hash.length} bytes`);
        const { w, h, rgba } = thumbHashToRGBA(hash);
        assert.ok(Math.abs(w / h - 2) < 0.3, `${w} × ${h}`);
        const at = (x: number) => [...rgba.subarray(x * 4, x * 4 + 4)];
        assert.ok(isRed(at(2)) && isBlue(at(w - 3)), `${at(2)} ${at(w - 3)}`);
      }
      const grey = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'gray' } })
        .toColourspace('b-w')
        .png()
        .toBuffer();
      assert.ok((await images.measure(grey)).placeholder);
    });
  });
}
