// A plant store in one of two frameworks, as their defaults have it or hardened.
package main

import (
	"encoding/json"
	"log"
	"net/http"
	"os"

	"github.com/gin-gonic/gin"
	"github.com/go-chi/chi/v5"

	"bench/plant"
)

func main() {
	stores := map[string]func() http.Handler{
		"chi-naive": chiNaive, "chi-hardened": chiHardened, "gin-naive": ginNaive, "gin-hardened": ginHardened,
	}
	gin.SetMode(gin.ReleaseMode)
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), stores[os.Args[1]]()))
}

func right(request *http.Request) bool {
	return request.Header.Get("Authorization") == "Bearer "+os.Getenv("STORE_TOKEN")
}

func write(out http.ResponseWriter, status int, value any) {
	out.Header().Set("Content-Type", "application/json")
	out.WriteHeader(status)
	_ = json.NewEncoder(out).Encode(value)
}

func chiNaive() http.Handler {
	type newPlant struct {
		ID   *int64  `json:"id"`
		Name *string `json:"name"`
		Tag  string  `json:"tag"`
	}
	router := chi.NewRouter()
	router.Post("/plants", func(out http.ResponseWriter, request *http.Request) {
		var body newPlant
		switch {
		case !right(request):
			write(out, 400, plant.Rejection{Error: 1, Message: "unauthorized"})
		case json.NewDecoder(request.Body).Decode(&body) != nil || body.ID == nil || body.Name == nil:
			write(out, 400, plant.Rejection{Error: 2, Message: "bad request"})
		default:
			write(out, 200, map[string]string{"name": *body.Name, "tag": body.Tag})
		}
	})
	return router
}

func chiHardened() http.Handler {
	router := chi.NewRouter()
	router.Post("/plants", func(out http.ResponseWriter, request *http.Request) {
		status, value := plant.Read(request)
		write(out, status, value)
	})
	return router
}

func ginNaive() http.Handler {
	type newPlant struct {
		ID   int64  `json:"id" binding:"required"`
		Name string `json:"name" binding:"required"`
		Tag  string `json:"tag"`
	}
	router := gin.New()
	router.POST("/plants", func(context *gin.Context) {
		var body newPlant
		switch {
		case !right(context.Request):
			context.JSON(401, gin.H{"error": 1, "message": "unauthorized"})
		case context.ShouldBindJSON(&body) != nil:
			context.JSON(400, gin.H{"error": 2, "message": "bad request"})
		default:
			context.JSON(200, gin.H{"name": body.Name, "tag": body.Tag})
		}
	})
	return router
}

func ginHardened() http.Handler {
	router := gin.New()
	router.POST("/plants", func(context *gin.Context) {
		context.JSON(plant.Read(context.Request))
	})
	return router
}
