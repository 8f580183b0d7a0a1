/**
 * Draws the images of the sample world into starter/sample, each in the palette of its entity. Deterministic: run it
 * again after changing a palette or a drawing and commit the PNGs.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';
import sharp from 'sharp';
import { chart, keyArt, paletteBoard } from './sample-images/boards.mjs';
import { broemmel, choir, kettlefin, saltwrights, wardens } from './sample-images/emblems.mjs';
import { clapper, dial, lantern, notebook } from './sample-images/items.mjs';
import { brineFlats, chalkDowns, drownedForest, glassLight } from './sample-images/landscapes.mjs';
import { haiyue, ilse, kaethe, mira, oda, silt, tobin } from './sample-images/portraits.mjs';
import { bellHouse, ebbMarket, eelAndAnchor, harrowQuay, wreck } from './sample-images/towns.mjs';

const SAMPLE = join(dirname(fileURLToPath(import.meta.url)), '..', 'starter', 'sample');
const MAX_BYTES = 40_000;

/** By the entity's main file, which names the image (`primary_asset`) and the palette. */
const DRAWINGS = {
  'Biomes/brine_flats/BIO_brine_flats.md': brineFlats,
  'Biomes/chalk_downs/BIO_chalk_downs.md': chalkDowns,
  'Biomes/drowned_forest/BIO_drowned_forest.md': drownedForest,
  'Brands/broemmel_bruehe/BR_broemmel_bruehe.md': broemmel,
  'Brands/kettlefin_eels/BR_kettlefin_eels.md': kettlefin,
  'Campaigns/before_the_return/CMP_before_the_return.md': keyArt,
  'Characters/brother_silt/CH_brother_silt.md': silt,
  'Characters/ilse_vale/CH_ilse_vale.md': ilse,
  'Characters/kaethe_broemmel/CH_kaethe_broemmel.md': kaethe,
  'Characters/lin_haiyue/CH_lin_haiyue.md': haiyue,
  'Characters/mira_vale/CH_mira_vale.md': mira,
  'Characters/oda_pell/CH_oda_pell.md': oda,
  'Characters/tobin_sark/CH_tobin_sark.md': tobin,
  'Factions/bell_wardens/FAC_bell_wardens.md': wardens,
  'Factions/drowned_choir/FAC_drowned_choir.md': choir,
  'Factions/saltwrights/FAC_saltwrights.md': saltwrights,
  'Items/brine_lamp/ITM_brine_lamp.md': lantern,
  'Items/chao_xin_pan/ITM_chao_xin_pan.md': dial,
  'Items/ilses_notebook/ITM_ilses_notebook.md': notebook,
  'Items/tide_clapper/ITM_tide_clapper.md': clapper,
  'Locations/bell_house/LOC_bell_house.md': bellHouse,
  'Locations/ebb_market/LOC_ebb_market.md': ebbMarket,
  'Locations/eel_and_anchor/LOC_eel_and_anchor.md': eelAndAnchor,
  'Locations/glass_light/LOC_glass_light.md': glassLight,
  'Locations/harrow_quay/LOC_harrow_quay.md': harrowQuay,
  'Locations/wreck_of_the_patience/LOC_wreck_of_the_patience.md': wreck,
  'StyleBibles/ebbmark_style/STY_ebbmark_style.md': paletteBoard,
  'Universes/ebbmark/UNI_ebbmark.md': chart,
};

async function frontmatter(file) {
  const text = await readFile(file, 'utf8');
  return load(text.slice(4, text.indexOf('\n---\n', 4)));
}

/** In the best quality that the size limit allows: soft gradients need many colours, and cost the most. */
async function encode(svg) {
  for (const quality of [95, 80, 65, 50, 35]) {
    const png = await sharp(Buffer.from(svg))
      .png({ palette: true, quality, dither: 0.4, effort: 10, compressionLevel: 9 })
      .toBuffer();
    if (png.length <= MAX_BYTES) return png;
  }
  throw new Error(
    `A picture cannot be stored in ${MAX_BYTES} bytes; draw it smaller or with fewer gradients`,
  );
}

async function draw(path, drawing) {
  const file = join(SAMPLE, path);
  const { palette, primary_asset: asset } = await frontmatter(file);
  const target = join(dirname(file), asset);
  const png = await encode(drawing(palette).svg);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, png);
  process.stdout.write(`${String(png.length).padStart(6)}  ${path}\n`);
}

for (const [path, drawing] of Object.entries(DRAWINGS)) await draw(path, drawing);
