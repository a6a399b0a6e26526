import './style.css'
import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ProductDetail } from './detail.tsx'
import { ProductForm } from './form.tsx'
import { ProductList } from './list.tsx'
import { StockChanges } from './stock-changes.tsx'

/** The address names the page: `#/`, `#/new`, `#/products/p1` or `#/products/p1/edit`. */
const useRoute = (): readonly string[] => {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    const onHashChange = () => setHash(location.hash)
    addEventListener('hashchange', onHashChange)
    return () => removeEventListener('hashchange', onHashChange)
  }, [])
  return hash.replace(/^#\//, '').split('/')
}

const App = () => {
  const [page, id, action] = useRoute()
  return (
    <>
      <header>
        <h1>
          <a href="#/">Shop</a>
        </h1>
        <a class="button" href="#/new">
          Add a product
        </a>
      </header>
      <main>
        {page === 'new' ? (
          <ProductForm id={null} />
        ) : page === 'products' && id !== undefined ? (
          action === 'edit' ? (
            <ProductForm key={id} id={id} />
          ) : (
            <ProductDetail key={id} id={id} />
          )
        ) : (
          <ProductList />
        )}
      </main>
      <StockChanges />
    </>
  )
}

const root = document.getElementById('app')
if (root !== null) render(<App />, root)
