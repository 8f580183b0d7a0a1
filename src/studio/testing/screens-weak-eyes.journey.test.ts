import { test } from 'node:test';
import { seeScreensForWeakEyes } from './see-screens.ts';

test(
  'no screen has a fault that a program can see, in large text and in colours of the system',
  seeScreensForWeakEyes,
);
