// A shelter, as the tutorial of huma writes one: operations by structs, the document from their tags, net/http below.
package main

import (
	"context"
	"net/http"
	"os"
	"sort"
	"strings"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

type CatInput struct {
	Name     string         `json:"name" minLength:"1" maxLength:"60" doc:"What it is called"`
	Color    string         `json:"color" enum:"black,red,white"`
	Age      *int           `json:"age,omitempty" minimum:"0" maximum:"40"`
	Weight   float64        `json:"weight,omitempty" exclusiveMinimum:"0" maximum:"30"`
	Found    string         `json:"found,omitempty" format:"date"`
	Tags     []string       `json:"tags,omitempty" maxItems:"5" uniqueItems:"true"`
	Friendly bool           `json:"friendly,omitempty" default:"true"`
	Counts   map[string]int `json:"counts,omitempty"`
}

type Cat struct {
	ID        int64     `json:"id"`
	CreatedAt time.Time `json:"createdAt"`
	CatInput
}

type CatID struct {
	ID int64 `path:"id" minimum:"1"`
}

type CatOutput struct {
	ETag string `header:"ETag"`
	Body Cat
}

type Owner struct {
	Email   string `json:"email" format:"email"`
	Website string `json:"website,omitempty" format:"uri"`
}

type AdoptionInput struct {
	CatID int64     `json:"catId" minimum:"1"`
	At    time.Time `json:"at"`
	Owner Owner     `json:"owner"`
	Note  *string   `json:"note,omitempty" maxLength:"100" nullable:"true"`
}

type Adoption struct {
	ID string `json:"id" format:"uuid"`
	AdoptionInput
}

type Shelter struct {
	sync.Mutex
	last      int64
	cats      map[int64]Cat
	adoptions map[string]Adoption
}

func main() {
	shelter := &Shelter{cats: map[int64]Cat{}, adoptions: map[string]Adoption{}}
	mux := http.NewServeMux()
	config := huma.DefaultConfig("Shelter", "1.0.0")
	config.Components.SecuritySchemes = map[string]*huma.SecurityScheme{"bearer": {Type: "http", Scheme: "bearer"}}
	api := humago.New(mux, config)
	secured := []map[string][]string{{"bearer": {}}}
	api.UseMiddleware(func(ctx huma.Context, next func(huma.Context)) {
		if len(ctx.Operation().Security) > 0 && ctx.Header("Authorization") != "Bearer secret-token" {
			ctx.SetHeader("WWW-Authenticate", "Bearer")
			huma.WriteErr(api, ctx, http.StatusUnauthorized, "log in first")
			return
		}
		next(ctx)
	})

	huma.Get(api, "/cats", func(_ context.Context, input *struct {
		Limit    int       `query:"limit" minimum:"1" maximum:"100" default:"20"`
		Offset   int       `query:"offset" minimum:"0"`
		Color    []string  `query:"color" enum:"black,red,white"`
		Q        string    `query:"q" maxLength:"40"`
		Since    time.Time `query:"since"`
		Friendly bool      `query:"friendly"`
	}) (*struct {
		Total int `header:"X-Total"`
		Body  []Cat
	}, error) {
		shelter.Lock()
		defer shelter.Unlock()
		found := []Cat{}
		for _, cat := range shelter.cats {
			if strings.Contains(cat.Name, input.Q) && (len(input.Color) == 0 || contains(input.Color, cat.Color)) && !cat.CreatedAt.Before(input.Since) && (!input.Friendly || cat.Friendly) {
				found = append(found, cat)
			}
		}
		sort.Slice(found, func(i, j int) bool { return found[i].ID < found[j].ID })
		total := len(found)
		start := min(input.Offset, total)
		return &struct {
			Total int `header:"X-Total"`
			Body  []Cat
		}{total, found[start:min(start+input.Limit, total)]}, nil
	})

	huma.Register(api, huma.Operation{OperationID: "create-cat", Method: http.MethodPost, Path: "/cats", DefaultStatus: 201, Security: secured, Errors: []int{401}}, func(_ context.Context, input *struct{ Body CatInput }) (*CatOutput, error) {
		shelter.Lock()
		defer shelter.Unlock()
		shelter.last++
		cat := Cat{ID: shelter.last, CreatedAt: time.Now().UTC(), CatInput: input.Body}
		shelter.cats[cat.ID] = cat
		return &CatOutput{`"1"`, cat}, nil
	})

	huma.Register(api, huma.Operation{OperationID: "get-cat", Method: http.MethodGet, Path: "/cats/{id}", Errors: []int{404}}, func(_ context.Context, input *CatID) (*CatOutput, error) {
		shelter.Lock()
		defer shelter.Unlock()
		cat, ok := shelter.cats[input.ID]
		if !ok {
			return nil, huma.Error404NotFound("no such cat")
		}
		return &CatOutput{`"1"`, cat}, nil
	})

	huma.Register(api, huma.Operation{OperationID: "replace-cat", Method: http.MethodPut, Path: "/cats/{id}", Errors: []int{404}}, func(_ context.Context, input *struct {
		CatID
		Body CatInput
	}) (*CatOutput, error) {
		shelter.Lock()
		defer shelter.Unlock()
		cat, ok := shelter.cats[input.ID]
		if !ok {
			return nil, huma.Error404NotFound("no such cat")
		}
		cat.CatInput = input.Body
		shelter.cats[input.ID] = cat
		return &CatOutput{`"2"`, cat}, nil
	})

	huma.Register(api, huma.Operation{OperationID: "delete-cat", Method: http.MethodDelete, Path: "/cats/{id}", DefaultStatus: 204, Errors: []int{404}}, func(_ context.Context, input *CatID) (*struct{}, error) {
		shelter.Lock()
		defer shelter.Unlock()
		if _, ok := shelter.cats[input.ID]; !ok {
			return nil, huma.Error404NotFound("no such cat")
		}
		delete(shelter.cats, input.ID)
		return nil, nil
	})

	huma.Register(api, huma.Operation{OperationID: "upload-photo", Method: http.MethodPost, Path: "/cats/{id}/photo", Errors: []int{404}}, func(_ context.Context, input *struct {
		CatID
		RawBody huma.MultipartFormFiles[struct {
			Photo   huma.FormFile `form:"photo" contentType:"image/png,application/octet-stream" required:"true"`
			Caption string        `form:"caption" maxLength:"100"`
		}]
	}) (*struct{ Body struct{ Size int64 `json:"size"` } }, error) {
		shelter.Lock()
		defer shelter.Unlock()
		if _, ok := shelter.cats[input.ID]; !ok {
			return nil, huma.Error404NotFound("no such cat")
		}
		output := &struct{ Body struct{ Size int64 `json:"size"` } }{}
		output.Body.Size = input.RawBody.Data().Photo.Size
		return output, nil
	})

	huma.Get(api, "/adoptions", func(_ context.Context, input *struct {
		Cats []int64 `query:"cats,explode"`
	}) (*struct{ Body []Adoption }, error) {
		shelter.Lock()
		defer shelter.Unlock()
		found := []Adoption{}
		for _, adoption := range shelter.adoptions {
			if len(input.Cats) == 0 || contains(input.Cats, adoption.CatID) {
				found = append(found, adoption)
			}
		}
		return &struct{ Body []Adoption }{found}, nil
	})

	huma.Register(api, huma.Operation{OperationID: "adopt", Method: http.MethodPost, Path: "/adoptions", DefaultStatus: 201}, func(_ context.Context, input *struct{ Body AdoptionInput }) (*struct{ Body Adoption }, error) {
		shelter.Lock()
		defer shelter.Unlock()
		adoption := Adoption{ID: newID(), AdoptionInput: input.Body}
		shelter.adoptions[adoption.ID] = adoption
		return &struct{ Body Adoption }{adoption}, nil
	})

	huma.Register(api, huma.Operation{OperationID: "get-adoption", Method: http.MethodGet, Path: "/adoptions/{id}", Errors: []int{404}}, func(_ context.Context, input *struct {
		ID string `path:"id" format:"uuid"`
	}) (*struct{ Body Adoption }, error) {
		shelter.Lock()
		defer shelter.Unlock()
		adoption, ok := shelter.adoptions[input.ID]
		if !ok {
			return nil, huma.Error404NotFound("no such adoption")
		}
		return &struct{ Body Adoption }{adoption}, nil
	})

	huma.Register(api, huma.Operation{OperationID: "feedback", Method: http.MethodPost, Path: "/feedback", DefaultStatus: 200}, func(_ context.Context, input *struct {
		Depth   int    `header:"X-Depth" minimum:"0" maximum:"9"`
		Session string `cookie:"session" maxLength:"20"`
		Body    struct {
			Text  string                 `json:"text" minLength:"1" maxLength:"200"`
			Stars int                    `json:"stars" minimum:"1" maximum:"5"`
			Extra map[string]interface{} `json:"extra,omitempty"`
		}
	}) (*struct{ Body struct{ Length int `json:"length"` } }, error) {
		output := &struct{ Body struct{ Length int `json:"length"` } }{}
		output.Body.Length = len(input.Body.Text)
		return output, nil
	})

	http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), mux)
}

func contains[T comparable](list []T, value T) bool {
	for _, each := range list {
		if each == value {
			return true
		}
	}
	return false
}
