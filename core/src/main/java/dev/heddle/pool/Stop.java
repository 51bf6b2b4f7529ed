package dev.heddle.pool;

/** Why an attempt was told to stop; decides what its end means. */
enum Stop {
    TIMEOUT, STALL, CANCEL, CLOSING, LAPSED, LOST
}
