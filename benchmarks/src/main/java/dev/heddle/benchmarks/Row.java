package dev.heddle.benchmarks;

import java.util.List;

/** A contender with what it reached. */
record Row(Card card, Figures median, List<Figures> rounds) {

    static Row of(Card card, List<Figures> rounds) {
        return new Row(card, Figures.medianOf(rounds), List.copyOf(rounds));
    }
}
