package dev.heddle.postgres;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that a newer Heddle has migrated the schema while a node of this version works on it. In a rolling upgrade
 * such a node goes on until its turn comes, but it must not go on for ever: it does not know what the newer version
 * keeps there.
 */
final class SchemaWatch {

    private static final Logger LOG = LoggerFactory.getLogger(SchemaWatch.class);

    private final DatabaseAddress address;
    private int newest = Migrations.latest();

    SchemaWatch(DatabaseAddress address) {
        this.address = address;
    }

    /** Logs a version that is newer than this Heddle, once. */
    synchronized void saw(int version) {
        if (version > newest) {
            newest = version;
            LOG.warn("Schema {} of {} now has version {}, but this node knows versions up to {}; restart it with the"
                    + " newer Heddle", address.schema(), address, version, Migrations.latest());
        }
    }
}
