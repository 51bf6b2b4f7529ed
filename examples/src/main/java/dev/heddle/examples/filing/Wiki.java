package dev.heddle.examples.filing;

import java.io.IOException;

/** The document management system. */
interface Wiki {

    void updateContent(String documentId) throws IOException;

    void addSearchTerms(String documentId) throws IOException;

    void move(String documentId) throws IOException;

    void removeMarkers(String documentId) throws IOException;

    void postComment(String documentId, String text) throws IOException;
}
