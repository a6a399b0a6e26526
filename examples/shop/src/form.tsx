import { useEffect, useState } from 'preact/hooks'
import { addProduct, type Category, changeProduct, getProduct, type NewProduct } from './client.ts'

const empty: NewProduct = { name: '', category: 'tea', price: 0, stock: 0 }

/** Adds a product, or changes the one with this id. What is valid is for the shop to say. */
export const ProductForm = ({ id }: { readonly id: string | null }) => {
  const [initial, setInitial] = useState<NewProduct | null>(id === null ? empty : null)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    if (id === null) return
    getProduct(id).then(product => (product.ok ? setInitial(product.value) : setProblem(product.reason)))
  }, [id])
  const save = async (event: SubmitEvent) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget as HTMLFormElement)
    const product = {
      name: String(data.get('name')),
      category: data.get('category') as Category,
      price: Math.round(Number(data.get('price')) * 100),
      stock: Number(data.get('stock')),
    }
    const saved = id === null ? await addProduct(product) : await changeProduct(id, product)
    if (saved.ok) location.hash = `#/products/${saved.value.id}`
    else setProblem(saved.reason)
  }
  return (
    <section aria-labelledby="product">
      <h2 id="product">{id === null ? 'Add a product' : 'Edit the product'}</h2>
      {initial === null ? null : (
        <form onSubmit={save} noValidate>
          <label>
            Name <input name="name" defaultValue={initial.name} autocomplete="off" />
          </label>
          <label>
            Category
            <select name="category" defaultValue={initial.category}>
              <option>tea</option>
              <option>coffee</option>
              <option>spice</option>
            </select>
          </label>
          <label>
            Price <input name="price" type="number" step="0.01" defaultValue={String(initial.price / 100)} />
          </label>
          <label>
            In stock <input name="stock" type="number" defaultValue={String(initial.stock)} />
          </label>
          <button type="submit">Save</button>
        </form>
      )}
      {problem === null ? null : <p role="alert">{problem}</p>}
    </section>
  )
}
