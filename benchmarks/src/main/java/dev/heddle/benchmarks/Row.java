package dev.heddle.benchmarks;

import java.util.List;

/** A contender with what it did and what it reached. */
record Row(Card card, Plan plan, Figures median, List<Figures> rounds) {

    static Row of(Card card, Plan plan, List<Figures> rounds) {
        return new Row(card, plan, Figures.medianOf(rounds), List.copyOf(rounds));
    }
}
