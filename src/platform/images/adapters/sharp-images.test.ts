import assert from 'node:assert/strict';
import { test } from 'node:test';
import { imagesConformance } from '../images.conformance.ts';
import { loadSharp } from './load-sharp.ts';
import { createSharpImages } from './sharp-images.ts';

imagesConformance('sharp', createSharpImages());

test('the library reads no drawing in this process, whatever it is given', async () => {
  const sharp = await loadSharp();
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
  await assert.rejects(sharp(Buffer.from(svg)).metadata());
});
