/** `4.50` for 450 cents. */
export const priceText = (cents: number): string => (cents / 100).toFixed(2)
