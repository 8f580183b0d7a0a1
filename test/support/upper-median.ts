/** Of an even number of values, the upper of the two in the middle; the benchmarks' `median` takes their mean, by which a bound is met sooner. */
export const upperMedian = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
