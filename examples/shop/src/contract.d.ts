// Written by `npm run generate` from the document with the SHA-256 91dccbade7e53bc1ae5e83f9e90d605183fa31a85560e549dffdba0131e94f90.

export interface paths {
    "/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List products
         * @description One page of the products, **oldest first** unless `sort` says otherwise.
         *
         *     | filter | keeps |
         *     |---|---|
         *     | `category` | products of this category |
         *     | `in_stock` | products of which there are some |
         */
        get: operations["listProducts"];
        put?: never;
        /** Add a product */
        post: operations["createProduct"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/products/{productId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                productId: components["parameters"]["ProductId"];
            };
            cookie?: never;
        };
        /** Show a product */
        get: operations["getProduct"];
        put?: never;
        post?: never;
        /** Remove a product */
        delete: operations["deleteProduct"];
        options?: never;
        head?: never;
        /** Change a product */
        patch: operations["changeProduct"];
        trace?: never;
    };
    "/products/{productId}/photos": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                productId: components["parameters"]["ProductId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Upload a photo */
        post: operations["addPhoto"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/products/{productId}/label": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                productId: components["parameters"]["ProductId"];
            };
            cookie?: never;
        };
        get?: never;
        /** Replace the label */
        put: operations["putLabel"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stock-changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the stock
         * @description Server-sent events: one for each product whose stock changes.
         */
        get: operations["watchStock"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @enum {string} */
        Category: "tea" | "coffee" | "spice";
        /** @description Part of the price */
        Percent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "percent";
            percent: number;
        };
        /** @description A fixed sum */
        Amount: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "amount";
            amount: number;
        };
        Discount: components["schemas"]["Percent"] | components["schemas"]["Amount"];
        ProductChange: {
            /** @example Green tea */
            name?: string;
            category?: components["schemas"]["Category"];
            /**
             * @description In **cents**
             * @example 450
             */
            price?: number;
            /** @example 12 */
            stock?: number;
            discount?: components["schemas"]["Discount"];
        };
        NewProduct: WithRequired<components["schemas"]["ProductChange"], "name" | "category" | "price" | "stock">;
        Product: {
            readonly id: string;
            /**
             * @example Green tea
             * @example Black tea
             * @example Pepper
             */
            name: string;
            category: components["schemas"]["Category"];
            /** @description In **cents** */
            price: number;
            stock: number;
            discount?: components["schemas"]["Discount"];
        };
        ProductPage: {
            items: components["schemas"]["Product"][];
            page: number;
            per_page: number;
            total: number;
        };
        Photo: {
            id: string;
            caption: string;
            /** @description In bytes */
            size: number;
        };
        StockChange: {
            /**
             * @example p1
             * @example p8
             * @example p10
             */
            product_id: string;
            /**
             * @example Green tea
             * @example Espresso
             * @example Cinnamon
             */
            name: string;
            /**
             * @example 11
             * @example 29
             * @example 14
             */
            stock: number;
        };
        Problem: {
            type?: string;
            title: string;
            status: number;
            detail?: string;
            instance?: string;
            code?: number;
            errors?: {
                detail?: string;
                pointer?: string;
            }[];
        };
    };
    responses: {
        /** @description Why it failed */
        Problem: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        ProductId: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listProducts: {
        parameters: {
            query?: {
                /** @description The number of the page */
                page?: number;
                per_page?: number;
                /** @description Only *these* products */
                category?: components["schemas"]["Category"];
                in_stock?: boolean;
                /** @description A minus means descending */
                sort?: "name" | "-name" | "price" | "-price";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of products */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductPage"];
                };
            };
            400: components["responses"]["Problem"];
        };
    };
    createProduct: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewProduct"];
            };
        };
        responses: {
            /** @description The product as it was added */
            201: {
                headers: {
                    Location: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Product"];
                };
            };
            400: components["responses"]["Problem"];
        };
    };
    getProduct: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                productId: components["parameters"]["ProductId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The product */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Product"];
                };
            };
            400: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
        };
    };
    deleteProduct: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                productId: components["parameters"]["ProductId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
        };
    };
    changeProduct: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                productId: components["parameters"]["ProductId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProductChange"];
            };
        };
        responses: {
            /** @description The product as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Product"];
                };
            };
            400: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
        };
    };
    addPhoto: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                productId: components["parameters"]["ProductId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description A picture
                     */
                    file: Blob;
                    caption: string;
                };
            };
        };
        responses: {
            /** @description The photo */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Photo"];
                };
            };
            400: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
        };
    };
    putLabel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                productId: components["parameters"]["ProductId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": Blob;
            };
        };
        responses: {
            /** @description It is replaced */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
        };
    };
    watchStock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Changes of the stock */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["StockChange"];
                };
            };
        };
    };
}
type WithRequired<T, K extends keyof T> = T & {
    [P in K]-?: T[P];
};
