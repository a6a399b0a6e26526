// A plant store on Go's standard library.
package main

import (
	"bytes"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"unicode/utf8"
)

const largestBody = 16 << 20

type plant struct {
	Name string  `json:"name"`
	Tag  *string `json:"tag,omitempty"`
}

type failure struct {
	Error   int32  `json:"error"`
	Message string `json:"message"`
}

func setting(name, otherwise string) string {
	if value, found := os.LookupEnv(name); found {
		return value
	}
	return otherwise
}

func answer(w http.ResponseWriter, status int, value any) {
	text, _ := json.Marshal(value)
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", fmt.Sprint(len(text)))
	w.WriteHeader(status)
	_, _ = w.Write(text)
}

func authenticated(r *http.Request, token string) bool {
	given := r.Header.Values("Authorization")
	if len(given) != 1 {
		return false
	}
	scheme, credentials, _ := strings.Cut(given[0], " ")
	credentials = strings.TrimLeft(credentials, " ")
	return strings.EqualFold(scheme, "bearer") && subtle.ConstantTimeCompare([]byte(credentials), []byte(token)) == 1
}

func isJSON(r *http.Request) bool {
	media, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	return strings.EqualFold(strings.TrimSpace(media), "application/json")
}

// Numbers are read as text: a float64 cannot hold every int64. In JSON Schema, 1.0 and 1e3 are integers too.
func isInt64(value any) bool {
	text, isNumber := value.(json.Number)
	if !isNumber {
		return false
	}
	exact, readable := new(big.Rat).SetString(text.String())
	return readable && exact.IsInt() && exact.Num().IsInt64()
}

func parse(body []byte) (value any, err error) {
	if !utf8.Valid(body) { // encoding/json would replace what it cannot read
		return nil, errors.New("the body is not UTF-8")
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	if err = decoder.Decode(&value); err != nil {
		return nil, err
	}
	if _, err = decoder.Token(); err != io.EOF {
		return nil, errors.New("the body has more after the JSON value")
	}
	return value, nil
}

func newPlant(body []byte) (created plant, err error) {
	value, err := parse(body)
	if err != nil {
		return created, err
	}
	// A map, not a struct: Go would fill its fields from names in any letter case.
	fields, isObject := value.(map[string]any)
	if !isObject {
		return created, errors.New("the body is not an object")
	}
	if !isInt64(fields["id"]) {
		return created, errors.New("id is not an int64")
	}
	name, isString := fields["name"].(string)
	if !isString {
		return created, errors.New("name is not a string")
	}
	created.Name = name
	if given, present := fields["tag"]; present {
		tag, isString := given.(string)
		if !isString {
			return created, errors.New("tag is not a string")
		}
		created.Tag = &tag
	}
	return created, nil
}

func main() {
	token := setting("TOKEN", "secret")

	store := func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, largestBody))
		switch {
		case r.URL.Path != "/plants":
			answer(w, http.StatusNotFound, failure{404, "not found"})
		case r.Method != http.MethodPost:
			w.Header().Set("Allow", http.MethodPost)
			answer(w, http.StatusMethodNotAllowed, failure{405, "method not allowed"})
		case err != nil:
			answer(w, http.StatusBadRequest, failure{1, err.Error()})
		case !authenticated(r, token):
			answer(w, http.StatusBadRequest, failure{2, "a valid bearer token is needed"})
		case !isJSON(r):
			answer(w, http.StatusBadRequest, failure{3, "the body is not application/json"})
		default:
			created, err := newPlant(body)
			if err != nil {
				answer(w, http.StatusBadRequest, failure{4, err.Error()})
				return
			}
			answer(w, http.StatusOK, created)
		}
	}

	listener, err := net.Listen("tcp", "127.0.0.1:"+setting("PORT", "4020"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	server := &http.Server{Handler: http.HandlerFunc(store)}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM, os.Interrupt)
	go func() {
		<-stop
		_ = server.Close()
	}()
	fmt.Printf("listening on http://%s\n", listener.Addr())
	_ = server.Serve(listener)
}
