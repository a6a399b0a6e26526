import { useEffect, useState } from 'preact/hooks'
import { type Category, type Filter, listProducts, type Outcome, type Product } from './client.ts'
import { priceText } from './price.ts'

const perPage = 5

type Page = { readonly items: readonly Product[]; readonly total: number }

export const ProductList = () => {
  const [filter, setFilter] = useState<Filter>({ page: 1, per_page: perPage })
  const [outcome, setOutcome] = useState<Outcome<Page> | null>(null)
  useEffect(() => {
    let isStale = false
    listProducts(filter).then(next => isStale || setOutcome(next))
    return () => {
      isStale = true
    }
  }, [filter])
  // Another filter is another list, which begins with its first page.
  const narrow = (part: Partial<Filter>) => setFilter({ ...filter, page: 1, ...part })
  const { page = 1, category, sort, in_stock } = filter
  return (
    <section aria-labelledby="products">
      <h2 id="products">Products</h2>
      <form class="filters">
        <label>
          Category
          <select
            value={category ?? ''}
            onChange={({ currentTarget: { value } }) =>
              narrow({ category: value === '' ? undefined : (value as Category) })
            }
          >
            <option value="">all</option>
            <option>tea</option>
            <option>coffee</option>
            <option>spice</option>
          </select>
        </label>
        <label>
          Order
          <select
            value={sort ?? ''}
            onChange={({ currentTarget: { value } }) =>
              narrow({ sort: value === '' ? undefined : (value as NonNullable<Filter['sort']>) })
            }
          >
            <option value="">as added</option>
            <option value="name">name</option>
            <option value="price">price, lowest first</option>
            <option value="-price">price, highest first</option>
          </select>
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={in_stock === true}
            onChange={({ currentTarget: { checked } }) => narrow({ in_stock: checked ? true : undefined })}
          />{' '}
          In stock
        </label>
      </form>
      {outcome === null ? null : outcome.ok ? (
        <>
          <ul class="products">
            {outcome.value.items.map(({ id, name, category, price, stock }) => (
              <li key={id}>
                <a href={`#/products/${id}`}>{name}</a>
                <span class="tag">{category}</span>
                <span class="price">{priceText(price)}</span>
                <span class={stock === 0 ? 'stock none' : 'stock'}>
                  {stock === 0 ? 'sold out' : `${stock} left`}
                </span>
              </li>
            ))}
          </ul>
          <nav aria-label="Pages">
            <button
              type="button"
              disabled={page === 1}
              onClick={() => setFilter({ ...filter, page: page - 1 })}
            >
              Previous
            </button>
            <span>
              Page {page} of {Math.max(1, Math.ceil(outcome.value.total / perPage))}, {outcome.value.total}{' '}
              products
            </span>
            <button
              type="button"
              disabled={page * perPage >= outcome.value.total}
              onClick={() => setFilter({ ...filter, page: page + 1 })}
            >
              Next
            </button>
          </nav>
        </>
      ) : (
        <p role="alert">{outcome.reason}</p>
      )}
    </section>
  )
}
