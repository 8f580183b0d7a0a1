/** Accounts at the test providers, by login. */
export interface Person {
  email: string;
  verified: boolean;
  name: string;
  picture: string;
}

export const CLIENT = { clientId: 'canonry', clientSecret: 'a secret between us and them' };

export const somebody = (email: string, verified = true): Person => ({
  email,
  verified,
  name: 'Mara',
  picture: 'https://pictures.example/mara.jpg',
});
