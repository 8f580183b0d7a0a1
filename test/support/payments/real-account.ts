import Stripe from 'stripe';

/** The provider's own account in test mode, with the cards that it has for tests. */
export function accountHere(apiKey: string) {
  const stripe = new Stripe(apiKey, { telemetry: false });
  async function useCard(customer: string, card: string): Promise<void> {
    const { id } = await stripe.paymentMethods.attach(card, { customer });
    await stripe.customers.update(customer, { invoice_settings: { default_payment_method: id } });
  }
  return {
    /** Nobody can pay on a page without a browser; this begins the same subscription. */
    async subscribe(customer: string, price: string, quantity: number): Promise<string> {
      await useCard(customer, 'pm_card_visa');
      const { id } = await stripe.subscriptions.create({ customer, items: [{ price, quantity }] });
      return id;
    },
    declineLater: (customer: string) => useCard(customer, 'pm_card_chargeCustomerFail'),
  };
}
