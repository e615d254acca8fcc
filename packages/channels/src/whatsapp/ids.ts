const businessScoped = /^[A-Z]{2}\.(ENT\.)?[A-Za-z0-9]{1,128}$/;

/** True for a business-scoped user id, such as `US.9000…` (Meta, "Business-scoped user IDs", 5 Nov 2026). */
export function isBusinessScopedId(id: string): boolean {
  return businessScoped.test(id);
}

/** True for a phone number as WhatsApp writes it: digits with the country code. */
export function isPhoneId(id: string): boolean {
  return /^[1-9]\d{5,14}$/.test(id);
}

// Mobile numbers that WhatsApp and people write with and without one digit: Mexico 52 1, Argentina 54 9, Brazil 55 area 9.
const twins: readonly (readonly [RegExp, string])[] = [
  [/^521(\d{10})$/, "52$1"],
  [/^52(\d{10})$/, "521$1"],
  [/^549(\d{10})$/, "54$1"],
  [/^54(\d{10})$/, "549$1"],
  [/^55(\d{2})9(\d{8})$/, "55$1$2"],
  [/^55(\d{2})([6-9]\d{7})$/, "55$19$2"],
];

/** Other ways to write the same mobile number. */
export function spellingsOf(phone: string): readonly string[] {
  return twins.filter(([shape]) => shape.test(phone)).map(([shape, other]) => phone.replace(shape, other));
}
