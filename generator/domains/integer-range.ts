import { type Decimal, decimal } from '../../spec/index.ts'

const ranges: Readonly<Record<string, { readonly low: Decimal; readonly high: Decimal }>> = {
  int32: { low: decimal('-2147483648'), high: decimal('2147483647') },
  int64: { low: decimal('-9223372036854775808'), high: decimal('9223372036854775807') },
}

/** The range of OpenAPI's integer formats, inclusive; undefined for any other format. */
export const integerRange = (
  format: unknown,
): { readonly low: Decimal; readonly high: Decimal } | undefined =>
  typeof format === 'string' && Object.hasOwn(ranges, format) ? ranges[format] : undefined
