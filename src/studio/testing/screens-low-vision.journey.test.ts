import { test } from 'node:test';
import { seeScreensForLowVision } from './see-screens.ts';

test(
  'no screen has a fault that a program can see, in large text and in colours of the system',
  seeScreensForLowVision,
);
