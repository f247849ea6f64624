package main

import (
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/sgppl/sgppl/examples/service/churn"
)

// A Question is the body of a request to /predict: a row a customer.
type Question struct {
	X [][]float64 `json:"x"`
}

// An Answer has the chance that each customer leaves, and the time of the fit that says so.
type Answer struct {
	Left   []float64 `json:"left"`
	Fitted time.Time `json:"fitted"`
}

// A Health reports whether there is a fit, and which.
type Health struct {
	Ready  bool      `json:"ready"`
	Fitted time.Time `json:"fitted,omitzero"`
	Run    string    `json:"run,omitempty"`
	Draws  int       `json:"draws,omitempty"`
}

// most is the most customers of a request, and mostBytes the most bytes of its body.
const (
	most      = 10_000
	mostBytes = 16 << 20
)

// Handler answers POST /predict, GET /health and POST /fit.
func (s *Service) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /predict", s.predict)
	mux.HandleFunc("GET /health", s.health)
	mux.HandleFunc("POST /fit", func(w http.ResponseWriter, r *http.Request) {
		switch err := s.Fit(r.Context()); {
		case errors.Is(err, errBusy):
			refuse(w, http.StatusConflict, err)
		case err != nil:
			refuse(w, http.StatusInternalServerError, err)
		default:
			s.health(w, r)
		}
	})
	return mux
}

func (s *Service) predict(w http.ResponseWriter, r *http.Request) {
	f := s.newest.Load() // this fit answers, whatever is stored meanwhile
	if f == nil {
		refuse(w, http.StatusServiceUnavailable, errors.New("there is no fit yet"))
		return
	}
	var q Question
	d := json.NewDecoder(http.MaxBytesReader(w, r.Body, mostBytes))
	d.DisallowUnknownFields()
	if err := d.Decode(&q); err != nil {
		refuse(w, http.StatusBadRequest, err)
		return
	}
	if len(q.X) > most {
		refuse(w, http.StatusRequestEntityTooLarge, errors.New("too many customers at once"))
		return
	}
	if len(q.X) == 0 {
		reply(w, http.StatusOK, Answer{Left: []float64{}, Fitted: f.made})
		return
	}
	rows, err := f.model.NewRows(churn.Data{X: q.X})
	if err != nil {
		refuse(w, http.StatusBadRequest, err)
		return
	}
	p, err := f.posterior.Predict(rows)
	if err != nil {
		refuse(w, http.StatusInternalServerError, err)
		return
	}
	reply(w, http.StatusOK, Answer{Left: p.Left, Fitted: f.made})
}

func (s *Service) health(w http.ResponseWriter, _ *http.Request) {
	f := s.newest.Load()
	if f == nil {
		reply(w, http.StatusServiceUnavailable, Health{})
		return
	}
	reply(w, http.StatusOK, Health{Ready: true, Fitted: f.made, Run: f.dir,
		Draws: f.posterior.Chains() * f.posterior.Len()})
}

func refuse(w http.ResponseWriter, status int, err error) {
	reply(w, status, map[string]string{"error": err.Error()})
}

func reply(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(v) // the client may be gone
}
