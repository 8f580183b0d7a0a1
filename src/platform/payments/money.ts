/** Such as `19.00 EUR`, of an amount in the smallest unit of a currency that has hundredths. */
export const moneyText = ({ amount, currency }: { amount: number; currency: string }): string =>
  `${(amount / 100).toFixed(2)} ${currency.toUpperCase()}`;
